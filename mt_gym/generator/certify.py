"""Certificates of floors: made with their profile, checked, and never surpassed."""

from __future__ import annotations

from dataclasses import replace

from mt_gym.engine.kinds import Certificate
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.errors import LimitReached, MtGymError
from mt_gym.generator.profile import gateways, outline, profile, slack
from mt_gym.solver import certify as search
from mt_gym.solver import verify


def certified(tower: Tower, node_limit: int | None = None) -> Tower:
    """The same tower with a certificate of its proved optimum and its profile.

    Args:
        node_limit: states that each search may expand.

    Raises:
        MtGymError: it cannot be won.
        LimitReached: the limit ended a search before it was exact.
    """
    found = search(tower, node_limit=node_limit)
    if found.status != "optimal":
        raise LimitReached(
            f"{tower.name!r}: {node_limit} states do not suffice for a proof (found "
            f"{found.optimum}, at most {found.bound})"
        )
    figures = profile(tower, found.optimum, node_limit).to_dict()
    certificate = replace(found, profile=tuple(figures.items()))
    return Tower(replace(tower.data, certificate=certificate))


def check_certificate(
    tower: Tower, *, prove: bool = False, node_limit: int | None = None
) -> int:
    """Replay the witness of a tower's certificate; returns its final HP.

    Args:
        prove: also search for the optimum again, and measure the whole profile; else
            only what follows from the optimum and the map.
        node_limit: states that each search may expand.

    Raises:
        MtGymError: there is no certificate or route, or something in it is not what
            the tower gives.
        LimitReached: the limit ended the proof.
    """
    certificate = tower.certificate
    if certificate is None or not certificate.route:
        what = "certificate" if certificate is None else "route in its certificate"
        raise MtGymError(f"{tower.name!r} has no {what}")
    found = verify(tower, prove, node_limit=node_limit)
    if found.problems:
        kind = LimitReached if found.problems == (_LIMITS,) else MtGymError
        raise kind(
            f"the certificate of {tower.name!r} says {certificate.optimum} HP: "
            + "; ".join(found.problems)
        )
    _check_profile(tower, certificate, prove, node_limit)
    return certificate.optimum


def _check_profile(
    tower: Tower, certificate: Certificate, prove: bool, node_limit: int | None
) -> None:
    """Raise an error if a figure of a certificate's profile is not the tower's."""
    said = dict(certificate.profile)
    if not said:
        return
    found = {
        "gateways": gateways(tower),
        "slack": slack(tower, certificate.optimum),
    }
    if prove:
        found = measured(tower, certificate, node_limit)
    wrong = [
        f"{name} is {found[name]}, not {value}"
        for name, value in said.items()
        if found.get(name, value) != value
    ]
    if prove:
        wrong += [f"there is no figure {name}" for name in said if name not in found]
        wrong += [f"{name} is missing" for name in found if name not in said]
    if wrong:
        raise MtGymError(
            f"the profile in the certificate of {tower.name!r} is wrong: "
            + ", ".join(wrong)
        )


def measured(
    tower: Tower, certificate: Certificate, node_limit: int | None = None
) -> dict[str, int]:
    """The profile that belongs into a certificate, measured, by name.

    Without a proved optimum it holds what needs no proof, against the best known.

    Raises:
        LimitReached: a value needs more states.
    """
    if certificate.status == "optimal":
        return profile(tower, certificate.optimum, node_limit).to_dict()
    return outline(tower, certificate.optimum)


_LIMITS = "the limits ended the proof"
"""What the solver says of a proof that it did not finish."""


def refuse_beyond(tower: Tower, start: State, final: State) -> None:
    """Raise an error if a win from the start beats a proved optimum.

    No score above the optimum is ever reported: the certificate must be wrong.
    """
    certificate = tower.certificate
    if certificate is None or certificate.status != "optimal" or not final.won:
        return
    if start == tower.initial_state() and final.hero.hp > certificate.optimum:
        raise MtGymError(
            f"the certificate of {tower.name!r} calls {certificate.optimum} HP the "
            f"optimum, and an episode ended with {final.hero.hp}: its map file is wrong"
        )

"""The typer application and its commands, each in the module of its topic."""

from __future__ import annotations

import typer

from mt_gym.cli import (
    bank,
    bench,
    floors,
    generate,
    play,
    run,
    runs,
    serve,
    solve,
    train,
    versus,
)

app = typer.Typer(
    name="mt-gym",
    help="Play, run, solve and measure towers of the puzzle RPG Magic Tower.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("floors")(floors.list_floors)
app.command("show")(floors.show)
app.command("play")(play.play)
app.command("run")(run.run)
app.command("replay")(runs.replay)
app.command("report")(runs.report)
app.command("compare")(runs.compare)
app.command("solve")(solve.solve)
app.command("verify")(solve.verify)
app.command("versus")(versus.versus)
app.command("serve-policy")(serve.serve_policy)
app.command("serve-model")(serve.serve_model)
app.command("train")(train.train)
app.command("generate")(generate.generate)
app.add_typer(bank.app, name="bank")
app.add_typer(bench.app, name="bench")

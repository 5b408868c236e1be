"""Options of the policy: what is allowed, and which endpoint they mean."""

from pathlib import Path

import pytest

from mt_gym.agents import make_policy
from mt_gym.agents.llm import endpoint as endpoints
from mt_gym.agents.llm.config import VENDORS, LLMConfig, make_config
from mt_gym.agents.llm.endpoint import EMBEDDED, address, endpoint
from mt_gym.agents.llm.policy import LLMPolicy
from mt_gym.errors import PolicyError


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tempature": 1}, "no option 'tempature'; did you mean 'temperature'"),
        ({"temperature": 3}, "temperature: .*less than or equal to 2, got 3"),
        ({"votes": 0}, "votes: .*got 0"),
        ({"planning": "commit"}, "planning: .*reactive, commit-K, .*got 'commit'"),
        ({"planning": "commit-0"}, "planning: .*got 'commit-0'"),
        ({"planning": "commit-K"}, "planning: .*got 'commit-K'"),
        ({"vendor": "acme"}, "vendor: it must be one of default, openai, .*'acme'"),
        ({"base_url": "127.0.0.1:80"}, "base_url: it must be a URL"),
        ({"base_url": "http://me:pw@host/v1"}, "base_url: .*no name, password"),
        ({"selection": "best"}, "selection: .*'answer', 'argmax' or 'sample'"),
        ({"api_key_env": "sk-123"}, "api_key_env"),
        ({"model": ""}, "model: "),
    ],
)
def test_a_wrong_option_is_named_with_what_is_allowed(
    options: dict[str, object], message: str
) -> None:
    with pytest.raises(PolicyError, match=message):
        make_config(options)


@pytest.mark.parametrize(
    ("planning", "count"),
    [
        ("reactive", 1),
        ("commit-1", 1),
        ("commit-7", 7),
        ("long-plan:floor", 60),
        ("long-plan:steps", 60),
        ("single-call", 60),
    ],
)
def test_a_planning_mode_decides_so_many_actions(planning: str, count: int) -> None:
    assert make_config({"planning": planning}).commitment == count


def test_the_defaults_are_those_of_the_final_configuration() -> None:
    config = LLMConfig()
    assert config.temperature == 0
    assert (config.history, config.planning, config.plan_memory) == (
        0,
        "reactive",
        None,
    )
    assert (config.fallback, config.requests, config.votes) == (True, 3, 1)


def test_vendors_turn_thinking_off_for_repairs_as_data() -> None:
    template = VENDORS["vllm"].repair_body["chat_template_kwargs"]
    assert template == {"enable_thinking": False}
    assert {"default", "openai", "vllm", "llama.cpp"} <= set(VENDORS)


@pytest.mark.parametrize(
    ("options", "environ", "expected"),
    [
        ({"base_url": "http://h/v1/"}, {}, "http://h/v1"),
        ({"base_url": "http://h/v1"}, {"OPENAI_API_KEY": "k"}, "http://h/v1"),
        ({"model": "m"}, {"OPENAI_API_KEY": "k"}, "https://api.openai.com/v1"),
        ({"model": "m"}, {"OPENAI_BASE_URL": "http://h/v1"}, "http://h/v1"),
        ({"model": "m", "api_key_env": "OTHER"}, {"OTHER": "k"}, endpoints.USUAL_URL),
    ],
)
def test_the_endpoint_is_named_or_the_usual_one(
    options: dict[str, str], environ: dict[str, str], expected: str
) -> None:
    assert address(make_config(options), environ) == expected


def test_without_address_and_key_it_is_the_embedded_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(endpoints, "find_gguf", lambda: "a.gguf")
    assert address(LLMConfig(), {}) == EMBEDDED
    monkeypatch.setattr(endpoints, "find_gguf", lambda: None)
    with pytest.raises(PolicyError, match=r"--base-url URL .*pip install") as caught:
        address(LLMConfig(), {})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "environ", "message"),
    [
        ({"model": "m"}, {}, "endpoint for the model 'm': --base-url"),
        ({}, {"OPENAI_API_KEY": "k"}, "needs the name of a model"),
    ],
)
def test_half_an_endpoint_is_refused(
    options: dict[str, str], environ: dict[str, str], message: str
) -> None:
    with pytest.raises(PolicyError, match=message):
        address(make_config(options), environ)


def test_the_key_comes_from_the_environment_alone() -> None:
    config = make_config({"api_key_env": "MY_KEY", "base_url": "http://h/v1"})
    assert endpoint(config, "http://h/v1", {"MY_KEY": "secret"}).key == "secret"
    assert endpoint(config, "http://h/v1", {}).key == "none"
    assert "secret" not in config.model_dump_json()


def test_the_policy_says_everything_it_depends_on_but_no_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("openai", reason="needs the extra llm")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-5678")
    policy = make_policy("llm:m", base_url="http://h/v1", temperature=0.5)
    told = policy.describe()  # type: ignore[attr-defined]
    assert policy.name == "llm:m"
    assert told["config"]["temperature"] == 0.5
    assert told["endpoint"] == "http://h/v1"
    assert set(told["prompts"]) == {"floor", "tower", "bare"}
    assert "sk-secret" not in str(told)


@pytest.mark.parametrize(("given", "used"), [({}, 1), ({"concurrency": 3}, 3)])
def test_the_embedded_model_is_asked_one_request_at_a_time(
    given: dict[str, int], used: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("openai", reason="needs the extra llm")
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(endpoints, "find_gguf", lambda: tmp_path / "tiny.gguf")
    assert LLMPolicy(**given).config.concurrency == used
    assert LLMPolicy(base_url="http://127.0.0.1:9/v1").config.concurrency == 8

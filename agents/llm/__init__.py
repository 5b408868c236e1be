"""The language-model policy: questions, prompts, answers, planning, transport."""

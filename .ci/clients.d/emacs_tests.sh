#!/usr/bin/env bash
# The integration tests of the Emacs client against a real program, in the world that world.py makes:
# emacs_tests.sh CLIENT EMACS PI. The client's own models are those of an Ollama server; here they are the scripted ones.
cp "$PI_CODING_AGENT_DIR/models.json" "$1/test/fixtures/ollama-models.json" || exit 1
exec make -C "$1" --no-print-directory test-integration-ci-real EMACS="$2" PI_BIN="$3" PI_VERSION=latest

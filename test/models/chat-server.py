"""Serves a model file on loopback with llama.cpp's own OpenAI-compatible server until SIGTERM or SIGINT."""

import argparse
import os
import signal

import xllamacpp

options = argparse.ArgumentParser()
options.add_argument("file")
options.add_argument("--port", type=int, required=True)
options.add_argument("--name", required=True)
options.add_argument("--context", type=int, required=True, help="tokens of prompt and answer together")
options.add_argument("--threads", type=int, required=True)
options.add_argument("--key", help="API key that requests must send; if absent, none is required")
given = options.parse_args()

# Block signals before loading the model, which takes seconds: llama.cpp removes their default action.
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})

params = xllamacpp.CommonParams()
params.model.path = given.file
params.model_alias = {given.name}
params.hostnames = ["127.0.0.1"]
params.port = given.port
params.n_ctx = given.context
params.n_parallel = 1
# A disconnected client is noticed only between two batches.
params.n_batch = 128
params.cpuparams.n_threads = given.threads
params.cpuparams_batch.n_threads = given.threads
if given.key:
    params.api_keys = [given.key]
server = xllamacpp.Server(params)

signal.sigwait({signal.SIGTERM, signal.SIGINT})
# The server's destructor would wait for clients that are still connected.
os._exit(0)

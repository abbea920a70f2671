"""Serves a model file over loopback by llama.cpp's own OpenAI-compatible server, until it is told to end."""

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
options.add_argument("--key", help="what a request must bring; without it, all are answered")
given = options.parse_args()

# Before the model loads: that takes seconds, and llama.cpp takes the default action away.
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})

params = xllamacpp.CommonParams()
params.model.path = given.file
params.model_alias = {given.name}
params.hostnames = ["127.0.0.1"]
params.port = given.port
params.n_ctx = given.context
params.n_parallel = 1
# Whoever hangs up is noticed between two batches only.
params.n_batch = 128
params.cpuparams.n_threads = given.threads
params.cpuparams_batch.n_threads = given.threads
if given.key:
    params.api_keys = [given.key]
server = xllamacpp.Server(params)

signal.sigwait({signal.SIGTERM, signal.SIGINT})
# Its destructor waits for whoever is still connected.
os._exit(0)

import type { WorkerMessage } from './worker-queue.ts';

/** An embedding process: embeds one text after another with the model that its argument describes. */

const post = (message: WorkerMessage) => process.send!(message);

// Ctrl-C reaches the whole process group; the parent decides when this process ends, and takes it along when it ends itself.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit());

// Else ONNX Runtime tells Microsoft of its use.
process.env['ORT_DISABLE_TELEMETRY'] = '1';

try {
  const { loadModel } = await import('./local-model.ts');
  const embed = await loadModel(JSON.parse(process.argv[2]!));
  post('ready');
  process.on('message', async (text: string) => post(await embed(text).catch(reasonOf)));
} catch (error) {
  process.send!(reasonOf(error), () => process.exit(1));
}

function reasonOf(error: unknown): { failed: string } {
  return { failed: String((error as Error).message).slice(0, 500) };
}

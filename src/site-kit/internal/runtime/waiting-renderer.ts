import type { LoadRequest, RendererRequest } from '../../protocol'

/** A renderer of `tilth dev` that has React, and waits for the build that it is to render. */
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.once('message', ({ program }: LoadRequest) => void load(program))

/** Requests may come before the program listens. A program that cannot be loaded ends the process. */
async function load(program: string): Promise<void> {
  const early: RendererRequest[] = []
  const keep = (request: RendererRequest): void => void early.push(request)
  process.on('message', keep)
  await import(program)
  process.off('message', keep)
  for (const request of early) process.emit('message', request, undefined)
}

import { PassThrough } from 'node:stream'
import { relayMessages, type SendMessage } from '#agents/message-relay'
import { agentRights } from '#agents/tools'
import { connectToRunning, healthAt, localAddress, type RunningTilth } from '#outbound/local-server'
import { failedOutcome, type Outcome } from '#projects/problems'
import type { Config } from '#server/config'
import type { Product } from '#server/product'
import { realWorld } from '#world/world'
import { notRunningMessage } from './call-running-tilth'
import { RenewedKey } from './renewed-key'
import { projectNamed } from './run-query'

/** Relays between an assistant on standard input and output and the Tilth that runs, until the assistant closes its end. */
export async function answerAssistant(
  { product, config }: { product: Product; config: Config },
  named: string | undefined,
): Promise<Outcome> {
  const found = projectNamed(product, named)
  if (!found.done) return found
  if ((await healthAt(localAddress(config))) !== 'alive') return failedOutcome(notRunningMessage(config))
  const key = new RenewedKey({
    keys: product.projects.keys,
    projectId: found.project.id,
    key: { name: 'tilth mcp', scopes: agentRights },
    world: realWorld,
  })
  const tilth = connectToRunning(config)
  try {
    await relayMessages({ input: inputUntilStopped(), writeLine, send: sendWith(key, tilth) })
  } finally {
    tilth.close()
    await key.revoke()
  }
  return { done: true }
}

const writeLine = (line: string): void => void process.stdout.write(`${line}\n`)

/** Standard input, which ends too when the command is told to stop: the key is revoked either way. */
function inputUntilStopped(): NodeJS.ReadableStream {
  const input = process.stdin.pipe(new PassThrough())
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.once(signal, () => {
      process.stdin.destroy()
      input.end()
    })
  return input
}

const sendWith =
  (key: RenewedKey, tilth: RunningTilth): SendMessage =>
  async ({ headers, ...message }) =>
    await tilth.send({
      ...message,
      method: 'POST',
      path: '/mcp',
      headers: { ...headers, authorization: `Bearer ${await key.text()}` },
    })

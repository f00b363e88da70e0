import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { BackupRefusedError } from '#backups/backup-refused'
import { parseEngineUrl } from '#engine/address'
import { EngineClient } from '#engine/client'
import { type Engine, EngineError } from '#engine/engine'
import { openEngine } from '#engine/open'
import type { Config } from '#server/config'
import { openLog } from '#server/log'
import type { Installation } from '#server/main'

/** The memory that another engine beside the running one gets by with. */
const maxMemoryBytes = 1024 ** 3
const readyWithinMs = 120_000

const log = openLog({ level: 'silent', format: 'json' })

/** Starts an engine on what was restored into `folder`, or on an empty one there. */
export const embeddedEngineIn = (
  folder: string,
  { memoryBytes }: Config,
  { programs }: Installation,
): Engine =>
  openEngine({
    form: 'embedded',
    folder: join(folder, 'engine'),
    memoryBytes: Math.min(memoryBytes, maxMemoryBytes),
    cores: availableParallelism(),
    childEntry: join(programs, 'engine-child.js'),
    log,
  })

export const remoteEngineAt = (url: string, { isBeingRestored = false } = {}): Engine =>
  openEngine({ form: 'remote', url, log, isBeingRestored })

/** Does the work on a server as it is, whether Tilth could start on it or not. */
export async function whileConnected<Outcome>(
  url: string,
  work: (engine: EngineClient) => Promise<Outcome>,
): Promise<Outcome> {
  const client = new EngineClient({ address: parseEngineUrl(url), queriesAtOnce: 1 })
  try {
    return await work(client)
  } catch (problem) {
    throw refusalFor(problem)
  } finally {
    await client.close()
  }
}

/** An engine that fails is its operator's to mend, and the same command can be given again. */
const refusalFor = (problem: unknown): unknown =>
  problem instanceof EngineError
    ? new BackupRefusedError(
        `The engine failed: ${problem.message}\nCorrect that and give the same command again.`,
      )
    : problem

/** Waits until the engine answers, does the work, and ends the engine. */
export async function whileReady<Outcome>(
  engine: Engine,
  work: (engine: Engine) => Promise<Outcome>,
): Promise<Outcome> {
  try {
    const isReady = await Promise.race([
      engine.ready().then(() => true),
      pause(readyWithinMs, false, { ref: false }),
    ])
    if (!isReady)
      throw new BackupRefusedError(
        `The engine for what is restored does not start: ${(engine.health().trouble ?? 'it is silent').replace(/\.$/, '')}.`,
      )
    return await work(engine)
  } catch (problem) {
    throw refusalFor(problem)
  } finally {
    await engine.close()
  }
}

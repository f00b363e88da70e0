import { operator } from '#projects/access'
import { type FailedOutcome, type Outcome, failedOutcome } from '#projects/problems'
import type { Project } from '#projects/project'
import type { Config } from '#server/config'
import type { Product } from '#server/product'
import { connectToRunning, healthAt, localAddress, type RunningTilth } from '#outbound/local-server'

const commandLineViewer = operator('command line')

/** Sends a request to the management API, authorized by a temporary key. */
export type LocalCall = RunningTilth['send']

interface LocalCallSettings {
  product: Pick<Product, 'projects'>
  config: Config
  project: Project
  key: { name: string; scopes: readonly string[] }
}

/** Calls the Tilth that runs, which alone has the engine, with a key that is revoked again at once. */
export async function callRunningTilth<Done>(
  { product, config, project, key }: LocalCallSettings,
  work: (call: LocalCall) => Promise<Outcome<Done>>,
): Promise<Outcome<Done>> {
  if ((await healthAt(localAddress(config))) !== 'alive') return failedOutcome(notRunningMessage(config))
  const { keys } = product.projects
  const created = await keys.create(project.id, { ...key, days: 1 }, commandLineViewer)
  if (!created.done) return created
  const tilth = connectToRunning(config)
  try {
    return await work(({ headers, ...request }) =>
      tilth.send({ ...request, headers: { ...headers, authorization: `Bearer ${created.text}` } }),
    )
  } finally {
    tilth.close()
    await keys.revoke(project.id, created.key.id, commandLineViewer)
  }
}

/** Reads the management API's reason for refusing a request. */
export function refusalIn({ status, body }: { status: number; body: string }): FailedOutcome {
  // the management API of this version answered
  const { error } = JSON.parse(body) as { error?: { message: string } }
  return failedOutcome(error?.message ?? `HTTP ${status}.`)
}

export const notRunningMessage = (config: Config): string =>
  `No Tilth answers at ${localAddress(config)}: start it, or set PORT as it was set for the one that runs.`

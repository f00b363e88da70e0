import { mainEnvironment } from '../../flags/flag'
import { bearerOf } from '../keys'
import type { Desk, NamedProject, WireAnswer, WireRequest } from '../dialect'
import { failure } from './failures'

/** Whose flags somebody may ask about, and whether secret ones are among them. */
export interface Entry {
  project: NamedProject
  environment: string
  hasSecret: boolean
}

export type Admission = { isLetIn: true; entry: Entry } | { isLetIn: false; answer: WireAnswer }

/**
 * By a write key, which anybody may know, or by a secret one. Both can be sent, one as the bearer's and one as
 * `X-API-Key`: then the write key chooses the environment.
 */
export function admit(request: WireRequest, desk: Desk): Admission | Promise<Admission> {
  const keys = keysOf(request)
  const project = keys.map((key) => desk.projectNamed(key)).find((one) => one !== undefined)
  const secret = keys.find((key) => desk.projectNamed(key) === undefined)
  if (secret !== undefined) return admitSecret(secret, project, desk)
  return project ? letIn(project, false) : turnAway(undefined, desk)
}

function keysOf(request: WireRequest): string[] {
  const key = request.headers['x-api-key']
  return [Array.isArray(key) ? key[0] : key, bearerOf(request)].filter(
    (one): one is string => one !== undefined && one !== '',
  )
}

async function admitSecret(secret: string, named: NamedProject | undefined, desk: Desk): Promise<Admission> {
  const project = await desk.projectOfSecret(secret)
  if (!project) return turnAway(secret, desk)
  return named && named.id !== project.id ? foreign : letIn(named ?? project, true)
}

const letIn = (project: NamedProject, hasSecret: boolean): Admission => ({
  isLetIn: true,
  entry: { project, environment: project.environment ?? mainEnvironment, hasSecret },
})

function turnAway(key: string | undefined, desk: Desk): Admission {
  desk.noteRefusal({
    dialect: 'ofrep',
    reason: key === undefined ? 'no-key' : 'unknown-key',
    // it may be a secret: enough of it to find it again, and no more
    named: key?.slice(0, 8),
  })
  return { isLetIn: false, answer: failure(401, { errorCode: 'GENERAL', errorDetails: unknown }) }
}

const unknown =
  'Send the project’s write key, an environment’s, or a secret key, as "Authorization: Bearer …" or as "X-API-Key: …".'

const foreign: Admission = {
  isLetIn: false,
  answer: failure(403, {
    errorCode: 'GENERAL',
    errorDetails: 'The two keys are of two projects. Take both from the same one.',
  }),
}

import { mainEnvironment } from '#flags/flag'
import { bearerToken } from '../../internal/bearer-token'
import type { WireServices, ResolvedProject, WireResponse, WireRequest } from '../../dialect'
import { failureResponse } from './failures'

/** The project and environment that a key opens, and whether secret flags are included. */
export interface OfrepAccess {
  project: ResolvedProject
  environment: string
  hasSecret: boolean
}

type OfrepAdmission =
  | { isAdmitted: true; access: OfrepAccess }
  | { isAdmitted: false; response: WireResponse }

/**
 * Admits a request by a write key, which is public, or a secret key. A client may send both, one as the bearer token
 * and one as `X-API-Key`: then the write key chooses the environment.
 */
export function admit(
  request: WireRequest,
  services: WireServices,
): OfrepAdmission | Promise<OfrepAdmission> {
  const keys = keysIn(request)
  const project = keys.map((key) => services.findProject(key)).find((one) => one !== undefined)
  const secret = keys.find((key) => services.findProject(key) === undefined)
  if (secret !== undefined) return admitWithSecret(secret, project, services)
  return project ? admitProject(project, false) : rejectKey(undefined, services)
}

function keysIn(request: WireRequest): string[] {
  const key = request.headers['x-api-key']
  return [Array.isArray(key) ? key[0] : key, bearerToken(request)].filter(
    (one): one is string => one !== undefined && one !== '',
  )
}

async function admitWithSecret(
  secret: string,
  keyProject: ResolvedProject | undefined,
  services: WireServices,
): Promise<OfrepAdmission> {
  const project = await services.findProjectBySecret(secret)
  if (!project) return rejectKey(secret, services)
  return keyProject && keyProject.id !== project.id
    ? mismatchedKeys
    : admitProject(keyProject ?? project, true)
}

const admitProject = (project: ResolvedProject, hasSecret: boolean): OfrepAdmission => ({
  isAdmitted: true,
  access: { project, environment: project.environment ?? mainEnvironment, hasSecret },
})

function rejectKey(key: string | undefined, services: WireServices): OfrepAdmission {
  services.noteRefusal({
    dialect: 'ofrep',
    reason: key === undefined ? 'no-key' : 'unknown-key',
    // the start of the key identifies it; the rest is omitted, because it may be a secret
    named: key?.slice(0, 8),
  })
  return {
    isAdmitted: false,
    response: failureResponse(401, { errorCode: 'GENERAL', errorDetails: keyHint }),
  }
}

const keyHint =
  'Send the project’s write key, an environment’s, or a secret key, as "Authorization: Bearer …" or as "X-API-Key: …".'

const mismatchedKeys: OfrepAdmission = {
  isAdmitted: false,
  response: failureResponse(403, {
    errorCode: 'GENERAL',
    errorDetails: 'The two keys are of two projects. Take both from the same one.',
  }),
}

import type { Project } from '../../projects/project'
import { json } from '../answers'
import type { Desk, WireAnswer, WireRequest } from '../dialect'
import { bearerOf, refusal } from './refusals'

/** What a server SDK needs in order to decide flags by itself. */
interface Definitions {
  flags: readonly object[]
  group_type_mapping: Readonly<Record<string, string>>
  cohorts: Readonly<Record<string, object>>
  property_matching_version: 2
  minimal_flag_called_events: boolean
}

/** Here a project's flags will be asked for. There are none yet, and an SDK is content with that. */
const definitionsOf = (_project: Project): { definitions: Definitions; version: number } => ({
  definitions: {
    flags: [],
    group_type_mapping: {},
    cohorts: {},
    property_matching_version: 2,
    minimal_flag_called_events: false,
  },
  version: 0,
})

/** Definitions hold rules about people, and a public write key is not enough to read them. */
export async function answerDefinitions(request: WireRequest, desk: Desk): Promise<WireAnswer> {
  const project = await projectLetIn(request, desk)
  if (!project) return noSecret()
  const { definitions, version } = definitionsOf(project)
  const headers = { etag: `W/"${version}"`, 'cache-control': 'private, must-revalidate' }
  if (request.headers['if-none-match'] !== headers.etag) return json(200, definitions, headers)
  return { ...json(304, undefined, headers), body: undefined }
}

export async function answerRemotePayload(request: WireRequest, desk: Desk): Promise<WireAnswer> {
  if (!(await projectLetIn(request, desk))) return noSecret()
  return json(404, {
    type: 'invalid_request',
    code: 'not_found',
    detail: `There is no flag "${request.parts['key'] ?? ''}".`,
    attr: null,
  })
}

/** The secret's project. The address may name one, too: then it must be the same. */
async function projectLetIn(request: WireRequest, desk: Desk): Promise<Project | undefined> {
  const secret = bearerOf(request)
  const project = secret === undefined ? undefined : await desk.projectOfSecret(secret)
  const key = request.query.get('token')
  return !key || desk.projectNamed(key)?.id === project?.id ? project : undefined
}

const noSecret = (): WireAnswer =>
  refusal('unknown-key', 'Send a secret key of this project: Authorization: Bearer … (Settings → Keys).')

import { mainEnvironment } from '../../flags/flag'
import { hasSame, json, jsonText, notModified } from '../answers'
import type { Desk, WireAnswer, WireRequest } from '../dialect'
import { payloadOf } from '../payloads'
import { bearerOf } from '../keys'
import { refusal } from './refusals'

/** Definitions hold rules about people, and a public write key is not enough to read them. */
export async function answerDefinitions(request: WireRequest, desk: Desk): Promise<WireAnswer> {
  const entry = await entryOf(request, desk)
  if (!entry.isLetIn) return entry.answer
  const { text, etag } = desk.definitions(entry.projectId, entry.environment)
  // weak: a proxy may compress it
  const headers = { etag: `W/"${etag}"`, 'cache-control': 'private, must-revalidate' }
  return hasSame(request.headers['if-none-match'], headers.etag)
    ? notModified(headers)
    : jsonText(200, text, headers)
}

/** A flag's value for everybody: what a remote configuration is, secret ones included. Nothing where it has none. */
export async function answerRemotePayload(request: WireRequest, desk: Desk): Promise<WireAnswer> {
  const entry = await entryOf(request, desk)
  if (!entry.isLetIn) return entry.answer
  const key = request.parts['key'] ?? ''
  const flag = desk.flagsOf(entry.projectId).find((one) => one.key === key)
  if (!flag) return notFound(`There is no flag "${key}".`)
  const kept = payloadOf(flag, entry.environment, true)
  const payload = kept === undefined ? undefined : desk.opened(flag, kept)
  return kept !== undefined && payload === undefined ? cannotOpen(key) : payloadAnswer(payload)
}

/** SDKs undo JSON once for the answer and once for the payload in it. */
const payloadAnswer = (payload: string | undefined): WireAnswer =>
  payload === undefined ? jsonText(200, '') : json(200, payload)

const notFound = (detail: string): WireAnswer =>
  json(404, { type: 'invalid_request', code: 'not_found', detail, attr: null })

const cannotOpen = (key: string): WireAnswer =>
  json(500, {
    type: 'server_error',
    code: 'unreadable_secret',
    detail:
      `The secret of "${key}" was sealed with a key that is not in this data folder. ` +
      'Bring flags.key back from where it was made, or write the value anew.',
    attr: null,
  })

type Entry =
  | { isLetIn: true; projectId: number; environment: string }
  | { isLetIn: false; answer: WireAnswer }

/** By the secret's project. The address may name a write key, too: of the same project, and then of its environment. */
async function entryOf(request: WireRequest, desk: Desk): Promise<Entry> {
  const secret = bearerOf(request)
  const project = secret === undefined ? undefined : await desk.projectOfSecret(secret)
  if (!project) return { isLetIn: false, answer: noSecret }
  const key = request.query.get('token')
  const named = key ? desk.projectNamed(key) : project
  if (named?.id !== project.id) return { isLetIn: false, answer: foreignKey }
  return { isLetIn: true, projectId: project.id, environment: named.environment ?? mainEnvironment }
}

const noSecret = refusal(
  'unknown-key',
  'Send a secret key of this project: Authorization: Bearer … (Settings → Keys).',
)

const foreignKey = refusal(
  'foreign-key',
  'The secret key and the project key are of two projects. Take both from the same one.',
)

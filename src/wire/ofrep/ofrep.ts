import { hash } from 'node:crypto'
import type { Decision } from '../../flags/decision'
import type { Decisions } from '../../flags/deciding'
import { hasSame, json, jsonText, notModified } from '../answers'
import type { Desk, Dialect, WireAnswer, WireRequest } from '../dialect'
import { payloadOf } from '../payloads'
import { tryingOut } from '../trying-out'
import { readContext } from './context'
import { admit, type Entry } from './entry'
import { failure } from './failures'
import { resultOf, resultText } from './results'

/** How OpenFeature's providers ask from afar: https://openfeature.dev/specification, OFREP 0.3. */
export const ofrep: Dialect = {
  name: 'ofrep',
  routes: [
    { methods: ['POST'], path: '/ofrep/v1/evaluate/flags', answer: forThoseLetIn(evaluateAll) },
    { methods: ['POST'], path: '/ofrep/v1/evaluate/flags/:key', answer: forThoseLetIn(evaluateOne) },
  ],
}

type Answering = (request: WireRequest, entry: Entry, desk: Desk) => WireAnswer | Promise<WireAnswer>

function forThoseLetIn(answering: Answering) {
  return (request: WireRequest, desk: Desk): WireAnswer | Promise<WireAnswer> => {
    const admission = admit(request, desk)
    if (admission instanceof Promise)
      return admission.then((late) => (late.isLetIn ? answering(request, late.entry, desk) : late.answer))
    return admission.isLetIn ? answering(request, admission.entry, desk) : admission.answer
  }
}

function evaluateOne(request: WireRequest, entry: Entry, desk: Desk): WireAnswer | Promise<WireAnswer> {
  const key = request.parts['key'] ?? ''
  const read = readContext(request, entry, [key])
  if (!read.read) return failure(400, { key, ...read.failure })
  const answer = (decided: Decisions): WireAnswer => {
    const [decision] = permitted(decided, entry, desk)
    return decision?.flag.key === key ? answerOne(decision, entry) : notFound(key)
  }
  const decided = tryingOut(read.asking, request, desk)
  return decided instanceof Promise ? decided.then(answer) : answer(decided)
}

function answerOne(decision: Decision, { environment }: Entry): WireAnswer {
  const result = resultOf(decision, environment)
  return json(result.errorCode === undefined ? 200 : 500, result)
}

const notFound = (key: string): WireAnswer =>
  failure(404, {
    key,
    errorCode: 'FLAG_NOT_FOUND',
    errorDetails: `There is no flag "${key}" for whoever asks by this key.`,
  })

function evaluateAll(request: WireRequest, entry: Entry, desk: Desk): WireAnswer | Promise<WireAnswer> {
  const read = readContext(request, entry)
  if (!read.read) return failure(400, read.failure)
  const answer = (decided: Decisions): WireAnswer =>
    answerAll(permitted(decided, entry, desk), request, entry)
  const decided = tryingOut(read.asking, request, desk)
  return decided instanceof Promise ? decided.then(answer) : answer(decided)
}

/**
 * The tag is that of the results: the same definitions say something else to somebody else. Who was told of a change and
 * asks because of it is told everything, lest a front that has not yet heard of the change says that there is none.
 */
function answerAll(decisions: readonly Decision[], request: WireRequest, entry: Entry): WireAnswer {
  const results = decisions.map((decision) => resultText(decision, entry.environment)).join(',')
  const text = `{"flags":[${results}],"eventStreams":[${streamOf(request, entry)}]}`
  const etag = `"${hash('sha1', text, 'base64url')}"`
  const headers = { etag, 'cache-control': 'private, no-cache' }
  const isToldOfChange = request.query.has('flagConfigEtag')
  return !isToldOfChange && hasSame(request.headers['if-none-match'], etag)
    ? notModified(headers)
    : jsonText(200, text, headers)
}

/** Where changes are told of, below whatever the site put before our addresses. */
const streamOf = ({ prefix }: WireRequest, { project }: Entry): string =>
  JSON.stringify({
    type: 'sse',
    endpoint: { requestUri: `${prefix}/_tilth/flags/stream?key=${encodeURIComponent(keyOf(project))}` },
    inactivityDelaySec: 120,
  })

const keyOf = ({ environmentKey, writeKey }: Entry['project']): string => environmentKey ?? writeKey

/** Secret ones are for secret keys alone, which get them opened. */
function permitted({ decisions }: Decisions, entry: Entry, desk: Desk): readonly Decision[] {
  if (!decisions.some(({ flag }) => flag.isSecret)) return decisions
  if (!entry.hasSecret) return decisions.filter(({ flag }) => !flag.isSecret)
  return decisions.map((decision) => (decision.flag.isSecret ? opened(decision, entry, desk) : decision))
}

/** What cannot be opened is not known here, rather than absent. */
function opened(decision: Decision, { environment }: Entry, desk: Desk): Decision {
  const kept = payloadOf(decision.flag, environment, decision.value)
  if (kept === undefined) return decision
  const payload = desk.opened(decision.flag, kept)
  const reason =
    payload === undefined ? ({ code: 'undecided', condition: undefined } as const) : decision.reason
  return { ...decision, payload, reason }
}

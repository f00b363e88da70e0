import { randomUUID } from 'node:crypto'
import { bareServer } from './bare'
import { type Finding, ms, perSecond, quantile } from './report'
import { forget, key, owned, type Running, secret, startTilth, temporaryFolder } from './running'
import { send, userAgent } from './senders'

const surveys = 20
const seconds = 6
const rounds = 200

/** As posthog-js draws them: a rating that branches, choices and a text, on one address, for half of the persons. */
const surveyOf = (n: number): object => ({
  name: `Survey ${n}`,
  content: {
    questions: [
      {
        id: 'score',
        kind: 'rating',
        text: 'How likely are you to recommend us to a friend or colleague?',
        display: 'number',
        scale: 10,
        branching: { kind: 'by-answer', branches: { promoters: { kind: 'end' } } },
      },
      {
        id: 'uses',
        kind: 'multiple-choice',
        text: 'What do you use it for?',
        choices: ['Reports', 'Flags', 'Surveys', 'Posts'].map((text) => ({ id: text.toLowerCase(), text })),
      },
      { id: 'why', kind: 'open', text: 'What could we do better?' },
    ],
    endCards: [{ id: 'thanks', header: 'Thank you!' }],
  },
  placement: { kind: 'popover' },
  targeting: { url: { match: 'contains', value: `/pricing/${n}` }, percentage: 50 },
})

async function call(address: string, path: string, body: object): Promise<{ id: string }> {
  const answer = await fetch(`${address}/api/v1/projects/bench${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${text}`)
  // our own API's description of a survey
  return JSON.parse(text) as { id: string }
}

/** Returns the id of the last one. */
async function makeSurveys({ address }: Running): Promise<string> {
  let last = ''
  for (let n = 0; n < surveys; n++) {
    last = (await call(address, '/surveys', surveyOf(n))).id
    await call(address, `/surveys/${last}/launch`, {})
  }
  return last
}

const listPath = `/api/surveys/?token=${key}`

interface Round {
  rate: number
  bare: number
  p50: number
  p99: number
  failed: number
}

async function listRound(address: string, bare: string): Promise<Round> {
  const load = { body: '', connections: 32, method: 'GET' as const }
  const ours = await send({ ...load, url: address + listPath }, { seconds })
  const result = await send({ ...load, url: bare }, { seconds })
  return {
    rate: ours.requests.average,
    bare: result.requests.average,
    p50: ours.latency.p50,
    p99: ours.latency.p99,
    failed: ours.non2xx + ours.errors,
  }
}

/** The bare server answers with the same bytes. */
async function listOfSurveys({ address }: Running): Promise<Finding> {
  const answer = await fetch(address + listPath)
  const body = await answer.text()
  const parsed: unknown = JSON.parse(body)
  const bare = await bareServer(
    `response.setHeader('content-type', 'application/json'); response.end(${JSON.stringify(body)})`,
  )
  try {
    const made: Round[] = []
    for (let n = 0; n < 3; n++) made.push(await listRound(address, bare.address))
    const [, middle] = made.toSorted((one, other) => one.rate / one.bare - other.rate / other.bare)
    if (!middle) throw new Error('There were no rounds.')
    const listed =
      typeof parsed === 'object' && parsed && 'surveys' in parsed && Array.isArray(parsed.surveys)
        ? parsed.surveys.length
        : 0
    if (listed !== surveys) throw new Error(`${listed} surveys were listed, not ${surveys}.`)
    return {
      what: `\`/api/surveys/\` with ${surveys} surveys, ${Math.round(body.length / 1024)} kB, 32 connections`,
      measured: `${perSecond(middle.rate)}, p50 ${ms(middle.p50)}, p99 ${ms(middle.p99)}`,
      beside:
        `bare \`node:http\` that sends the same text ${perSecond(middle.bare)}: ` +
        `**ratio ${(middle.rate / middle.bare).toFixed(2)}**; middle of 3 rounds, ` +
        `${made.reduce((sum, { failed }) => sum + failed, 0)} failed`,
    }
  } finally {
    bare.process.kill()
  }
}

/** The requests of posthog-js for a survey that is shown and answered once, in its order. */
function requestsOf(id: string, person: string): { path: string; body: object }[] {
  const event = (name: string, properties: object, set: object) => ({
    path: '/e/',
    body: {
      uuid: randomUUID(),
      event: name,
      properties: { token: key, distinct_id: person, $survey_id: id, ...properties, $set: set },
      $set: set,
    },
  })
  // the client asks for flags again after each change of the person
  const flags = { path: '/flags/?v=2', body: { token: key, distinct_id: person, groups: {} } }
  const answers = { $survey_response_score: 9, $survey_response_why: 'It is fast.' }
  return [
    event('survey shown', {}, { $survey_last_seen_date: new Date().toISOString() }),
    flags,
    event(
      'survey sent',
      { $survey_submission_id: randomUUID(), $survey_completed: true, ...answers },
      { [`$survey_responded/${id}`]: true },
    ),
    flags,
  ]
}

async function post(url: string, body: object): Promise<number> {
  const began = performance.now()
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': userAgent },
    body: JSON.stringify(body),
  })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${url} was answered ${answer.status}.`)
  return performance.now() - began
}

async function answeredSurvey({ address }: Running, id: string): Promise<Finding> {
  const wholes: number[] = []
  const ofFlags: number[] = []
  for (let n = 0; n < rounds; n++) {
    const list = performance.now()
    await (await fetch(address + listPath)).arrayBuffer()
    let whole = performance.now() - list
    for (const { path, body } of requestsOf(id, `person-${n}`)) {
      const took = await post(address + path, body)
      whole += took
      if (path.startsWith('/flags')) ofFlags.push(took)
    }
    wholes.push(whole)
  }
  return {
    what: 'one answered survey: the list, `survey shown`, `survey sent`, and `/flags` after each',
    measured: `p50 ${ms(quantile(wholes, 0.5))}, p99 ${ms(quantile(wholes, 0.99))}`,
    beside: `of that, one \`/flags\` request p50 ${ms(quantile(ofFlags, 0.5))}, p99 ${ms(quantile(ofFlags, 0.99))}; one after another, ${rounds} persons`,
  }
}

/** Surveys as posthog-js asks for them, over HTTP, from a Tilth that runs. */
export async function surveyRequests(): Promise<Finding[]> {
  const folder = temporaryFolder()
  const tilth = await startTilth(folder, owned)
  try {
    const id = await makeSurveys(tilth)
    return [await listOfSurveys(tilth), await answeredSurvey(tilth, id)]
  } finally {
    await tilth.stop()
    forget(folder)
  }
}

import { usualBounceRule } from '#insights/bounce-rule'
import { uint, type Sql, sql, dateTime } from '#engine/sql'
import { temporaryEngine, type TemporaryEngine } from '#engine/internal/temporary'
import { readQuery } from '#insights/ask'
import type { QueryScope } from '#insights/scope'
import { type Finding, ms, quantile } from './report'

const answers = 1_000_000
const portion = 300_000
const rounds = 7
const now = new Date('2026-03-31T12:00:00Z')
const days = 90

/** A million submissions of one survey, each in one event, and twice as many showings. */
const submissions = (from: number): Sql => sql`
  insert into events (project_id, uuid, event, timestamp, received_at, distinct_id, person_id, has_person,
    is_cookieless, traffic, properties)
  with
    cityHash64(number) as chance,
    intDiv(number, 3) as submission,
    ${dateTime(new Date(now.getTime() - days * 86_400_000))} + toIntervalSecond(chance % ${uint(days * 86_400)}) as at,
    number % 3 = 2 as is_answer
  select
    1,
    generateUUIDv4(number),
    if(is_answer, 'survey sent', 'survey shown'),
    at,
    at,
    concat('visitor ', toString(submission)),
    reinterpretAsUUID(concat(reinterpretAsString(cityHash64(submission)), reinterpretAsString(submission))),
    true, false, 'human',
    if(is_answer,
      map('$survey_id', 'survey-1', '$survey_submission_id', toString(submission), '$survey_completed', 'true',
        '$survey_response_score', toString(chance % 11),
        '$survey_response_uses', if(chance % 2 = 0, '["Reports","Flags"]', '["Posts"]'),
        '$survey_response_why', concat('reason ', toString(chance % 1000))),
      map('$survey_id', 'survey-1'))
  from numbers(${uint(from)}, ${uint(portion)})`

const question = {
  kind: 'survey',
  period: '90d',
  survey: 'survey-1',
  versions: [
    {
      version: 1,
      from: '2025-12-01T00:00:00Z',
      questions: [
        { id: 'score', kind: 'rating', least: 0, most: 10 },
        {
          id: 'uses',
          kind: 'multiple-choice',
          choices: ['reports', 'flags', 'posts'],
          texts: { '': ['Reports', 'Flags', 'Posts'] },
        },
        { id: 'why', kind: 'open' },
      ],
    },
  ],
}

type Run = QueryScope['run']

const scopeOf = (run: Run): QueryScope => ({
  projectId: 1,
  calendar: { timeZone: 'UTC', weekStart: 'monday', now },
  currency: 'EUR',
  hasMerged: false,
  cohort: () => undefined,
  testAccounts: undefined,
  bounceRule: usualBounceRule,
  pageGroups: [],
  isFirstDay: async () => false,
  firstEventAt: async () => undefined,
  run,
})

async function answer(input: object, run: Run): Promise<number> {
  const began = performance.now()
  const read = readQuery(input)
  const outcome = read.done ? await read.ready.answer(scopeOf(run)) : read
  if (!outcome.done) throw new Error(outcome.problems[0]?.message)
  return performance.now() - began
}

/** The statements alone take what is left without the time of everything around them. */
async function measured(what: string, input: object, { engine }: TemporaryEngine): Promise<Finding> {
  let ofStatements = 0
  let read = { rows: 0, bytes: 0 }
  const run: Run = async <Row>(statement: Sql): Promise<Row[]> => {
    const began = performance.now()
    try {
      return await engine.query<Row>(statement, {
        lane: 'dashboard',
        onReadStats: ({ rows, bytes }) => {
          read = { rows: read.rows + rows, bytes: read.bytes + bytes }
        },
      })
    } finally {
      // statements of one answer run at the same time
      ofStatements = Math.max(ofStatements, performance.now() - began)
    }
  }
  const cold = await answer(input, run)
  const wholes: number[] = []
  const alone: number[] = []
  const plain: number[] = []
  for (let round = 0; round < rounds; round++) {
    ofStatements = 0
    read = { rows: 0, bytes: 0 }
    wholes.push(await answer(input, run))
    alone.push(ofStatements)
    const began = performance.now()
    await engine.query(rawStatement, { lane: 'dashboard' })
    plain.push(performance.now() - began)
  }
  const [whole, raw] = [quantile(wholes, 0.5), quantile(alone, 0.5)]
  return {
    what,
    measured: `${ms(whole)} warm, ${ms(cold)} at first`,
    beside:
      `its slowest statement alone ${ms(raw)}: **ratio ${(whole / raw).toFixed(2)}**; ` +
      `${(read.rows / 1e6).toFixed(1)} million rows and ${Math.round(read.bytes / 1e6)} MB read; ` +
      `**${(whole / quantile(plain, 0.5)).toFixed(0)} times** the plain count of one question in the same rounds`,
  }
}

/** The least that any count of these answers must do: read the rating of each and count it. */
const rawStatement = sql`
  select properties['$survey_response_score'] as score, count() as answers
  from events
  where project_id = 1 and event = 'survey sent' and properties['$survey_id'] = 'survey-1'
  group by score`

async function plainCount({ engine }: TemporaryEngine): Promise<Finding> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    await engine.query(rawStatement, { lane: 'dashboard' })
    times.push(performance.now() - began)
  }
  return {
    what: 'for comparison: ratings counted by one plain `group by`',
    measured: `${ms(quantile(times, 0.5))} warm`,
    beside: 'no persons, submissions, versions or other questions',
  }
}

/** The results of a survey with a million answers. */
export async function surveyResults(): Promise<Finding[]> {
  const temporary = await temporaryEngine({ memoryBytes: 4 * 1024 ** 3 })
  try {
    await temporary.engine.ready()
    process.stdout.write(`Making ${answers.toLocaleString('en')} answers …\n`)
    for (let from = 0; from < answers * 3; from += portion)
      await temporary.engine.command(submissions(from), { deadlineMs: 300_000 })
    // minutes later, the engine has merged what was inserted; merging takes both cores here
    await temporary.engine.command(sql`optimize table events`, { deadlineMs: 300_000 })
    return [
      await measured('results of 1,000,000 answers to three questions', question, temporary),
      await measured('the same by week', { ...question, interval: 'week' }, temporary),
      await plainCount(temporary),
    ]
  } finally {
    await temporary.remove()
  }
}

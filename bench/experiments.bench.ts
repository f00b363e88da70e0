import { usualBounceRule } from '#insights/bounce-rule'
import { dateTime, type Sql, sql, uint } from '#engine/sql'
import { temporaryEngine, type TemporaryEngine } from '#engine/internal/temporary'
import type { ExperimentMetric } from '#experiments/experiment'
import { runAaCheck } from '#experiments/planning/aa-check'
import { readQuery } from '#insights/ask'
import { experimentQuery } from '#insights/kinds/experiment/schema'
import { unitSample } from '#insights/kinds/experiment/unit-sample'
import type { QueryScope } from '#insights/scope'
import { type Finding, ms, quantile, report } from './report'

const persons = numberAfter('--persons', 1_000_000)
const eventsPerPerson = numberAfter('--events-per-person', 20)
const rounds = numberAfter('--rounds', 5)
const portion = 1_000_000
const now = new Date('2026-03-31T12:00:00Z')
const dayMs = 86_400_000
const startedAt = new Date(now.getTime() - 28 * dayMs)

function numberAfter(word: string, usual: number): number {
  const place = process.argv.indexOf(word)
  return place < 0 ? usual : Number(process.argv[place + 1])
}

/** Each person is exposed once in four weeks, and looks and orders before and after it. */
const portionOf = (from: number, amount: number): Sql => sql`
  insert into events (project_id, uuid, event, timestamp, received_at, distinct_id, person_id, has_person,
    is_cookieless, traffic, path, properties)
  with
    intDiv(number, ${uint(eventsPerPerson)}) as person,
    number % ${uint(eventsPerPerson)} as step,
    cityHash64(person) as chance,
    cityHash64(number, 7) as chance_of_event,
    ${dateTime(startedAt)} + toIntervalSecond(chance % ${uint(27 * 86_400)}) as exposed,
    if(step = 0, exposed, exposed + toIntervalSecond(toInt64(chance_of_event % ${uint(21 * 86_400)}) - ${uint(14 * 86_400)})) as at,
    step > 0 and chance_of_event % 100 < 5 + chance % 10 as is_order
  select
    1,
    generateUUIDv4(number),
    multiIf(step = 0, '$feature_flag_called', is_order, 'ordered', '$pageview'),
    at,
    at,
    concat('visitor ', toString(person)),
    reinterpretAsUUID(concat(reinterpretAsString(chance), reinterpretAsString(person))),
    true, false, 'human',
    concat('/page/', toString(chance_of_event % 500)),
    multiIf(
      step = 0, map('$feature_flag', 'checkout', '$feature_flag_response', arrayElement(['control', 'one', 'two'], 1 + intDiv(chance, 1000) % 3)),
      is_order, map('price', toString(10 + chance_of_event % 90)),
      map('section', toString(chance_of_event % 30)))
  from numbers(${uint(from)}, ${uint(amount)})`

const ordered = { event: 'ordered' }
const revenue = { happening: ordered, property: 'price' }
const metrics = [
  { type: 'conversion', happening: ordered },
  { type: 'total', amount: { happening: { event: '$pageview' } } },
  { type: 'total', amount: revenue },
  { type: 'ratio', numerator: revenue, denominator: { happening: ordered } },
  { type: 'funnel', steps: [{ event: '$pageview' }, ordered] },
]

const query = {
  kind: 'experiment',
  flag: 'checkout',
  variants: ['control', 'one', 'two'],
  phases: [startedAt.toISOString()],
  metrics,
  lookbackDays: 14,
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

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const plainRun =
  ({ engine }: TemporaryEngine): Run =>
  (statement) =>
    engine.query(statement, { lane: 'dashboard', deadlineMs: 300_000 })

/** The states of all units, those of several variants, and who converts. */
const exposuresQuery = {
  kind: 'experiment-exposures',
  flag: query.flag,
  variants: query.variants,
  phases: query.phases,
  metric: metrics[0],
}

async function answerTo(asked: unknown, run: Run): Promise<void> {
  const read = readQuery(asked)
  const outcome = read.done ? await read.ready.answer(scopeOf(run)) : read
  if (!outcome.done) throw new Error(outcome.problems[0]?.message)
}

/** The least work for these metrics: one pass by hand, without robots, previews, merges, phases or several variants. */
const bareStatement = sql`
  select variant, count(), avg(c), covarPop(c, c0), avg(v), covarPop(v, v0), varPop(v), avg(r), covarPop(r, r0), varPop(r),
    covarPop(r, o), varPop(o), avg(o), avg(f)
  from (
    select person_id, any(given) as variant,
      max(event = 'ordered' and timestamp >= at) as c, max(event = 'ordered' and timestamp < at) as c0,
      countIf(event = '$pageview' and timestamp >= at) as v, countIf(event = '$pageview' and timestamp < at) as v0,
      sumIf(price, event = 'ordered' and timestamp >= at) as r, sumIf(price, event = 'ordered' and timestamp < at) as r0,
      countIf(event = 'ordered' and timestamp >= at) as o,
      windowFunnel(34560000000)(toUInt64(toUnixTimestamp64Milli(timestamp)), event = '$pageview' and timestamp >= at, event = 'ordered' and timestamp >= at) as f
    from (select person_id, event, timestamp, toFloat64OrZero(properties['price']) as price from events where project_id = 1 and event in ('ordered', '$pageview', '$feature_flag_called')) as events
    left any join (
      select person_id as exposed, min(timestamp) as at, any(properties['$feature_flag_response']) as given
      from events
      where project_id = 1 and event = '$feature_flag_called' and properties['$feature_flag'] = 'checkout' and timestamp >= ${dateTime(startedAt)}
      group by exposed
    ) as exposures on exposures.exposed = events.person_id
    where given != '' and timestamp >= at - toIntervalDay(14)
    group by person_id
  )
  group by variant`

async function resultFindings(temporary: TemporaryEngine): Promise<Finding[]> {
  const run = plainRun(temporary)
  const cold = await timed(() => answerTo(query, run))
  const wholes: number[] = []
  const bare: number[] = []
  const exposures: number[] = []
  for (let round = 0; round < rounds; round++) {
    wholes.push(await timed(() => answerTo(query, run)))
    exposures.push(await timed(() => answerTo(exposuresQuery, run)))
    bare.push(await timed(() => run(bareStatement)))
  }
  const [whole, raw] = [quantile(wholes, 0.5), quantile(bare, 0.5)]
  return [
    {
      what: 'result of 3 variants and 5 metrics with CUPED',
      measured: `${ms(whole)} warm, ${ms(cold)} at first`,
      beside: `hoped for: 4,000 ms; one statement by hand ${ms(raw)}: **ratio ${(whole / raw).toFixed(2)}** (hoped for: 1.2)`,
    },
    {
      what: 'exposures: the state of each unit in nine dimensions, and who converted',
      measured: `${ms(quantile(exposures, 0.5))} warm`,
      beside: 'hoped for: 2,000 ms',
    },
  ]
}

const named = (): ExperimentMetric[] =>
  experimentQuery.parse(query).metrics.map((measured, i) => ({
    id: `metric-${i}`,
    name: `Metric ${i}`,
    role: 'primary',
    goal: 'increase',
    margin: 5,
    measured,
  }))

async function checkFindings(temporary: TemporaryEngine): Promise<Finding[]> {
  const filter = { type: 'event', key: '$feature_flag', operator: 'exact', value: ['checkout'] }
  const parsed = experimentQuery.parse({
    ...query,
    history: { event: '$feature_flag_called', filter },
  })
  const began = performance.now()
  const columns = await unitSample(parsed, scopeOf(plainRun(temporary)), 100_000)
  const gathered = performance.now() - began
  const analysis = {
    method: 'bayesian',
    decision: { rule: 'any-time' },
    level: 0.95,
    prior: undefined,
    lookbackDays: 14,
    smallestEffect: 0.05,
    power: 0.8,
    minimumUnits: 50,
  } as const
  const checked = await timed(async () =>
    runAaCheck({ metrics: named(), analysis, columns, times: 1000, seed: 7 }, () => {}),
  )
  return [
    {
      what: `A/A check: 1,000 divisions of ${(columns[0]?.[0]?.length ?? 0).toLocaleString('en')} persons, 5 metrics`,
      measured: `${((gathered + checked) / 1000).toFixed(1)} s (hoped for: 10 s)`,
      beside: `${ms(gathered)} to gather their values, ${ms(checked)} on a thread of its own`,
    },
  ]
}

const temporary = await temporaryEngine({ memoryBytes: 6 * 1024 ** 3 })
try {
  await temporary.engine.ready()
  const events = persons * eventsPerPerson
  process.stdout.write(`Making ${events.toLocaleString('en')} events …\n`)
  for (let from = 0; from < events; from += portion)
    await temporary.engine.command(portionOf(from, Math.min(portion, events - from)), { deadlineMs: 300_000 })
  report(
    'experiments',
    'Experiments',
    [...(await resultFindings(temporary)), ...(await checkFindings(temporary))],
    [
      `${persons.toLocaleString('en')} exposed persons in ${events.toLocaleString('en')} events of six weeks; the middle one of ${rounds} rounds. “At first” is the first time in the life of the engine; the files were written a moment before.`,
    ],
  )
} finally {
  await temporary.remove()
}

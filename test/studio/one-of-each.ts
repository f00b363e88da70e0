import { expect } from 'vitest'
import { queryText } from '#insights/text/query-text'
import { anEvent, send, untilStored } from './collecting'
import { aMember, askApi, executeInStore, type TestStudio } from './studio'

/** The ids of what was made, by what it is. */
export type Things = Record<string, string>

type Create = <Created>(path: string, body: unknown) => Promise<Created>
interface Identified {
  id: string
}

/** Fills Acme with one of each thing that has a page or a layer of its own. */
export async function oneOfEach(studio: TestStudio): Promise<Things> {
  const create: Create = (path, body) => askApi(studio, 'POST', `/projects/acme${path}`, body)
  await makeFlags(studio, create)
  const analysis = await makeAnalysis(create)
  const trials = await makeExperiments(create)
  const { id: survey } = await makeSurvey(create)
  const posts = await makePosts(studio, create)
  await makeMembers(studio, create)
  const person = await makePersons(studio, survey)
  return {
    ...analysis,
    ...trials,
    flag: 'dark-mode',
    guarded: 'new-menu',
    survey,
    ...posts,
    person,
    question: queryText(ordersByDay),
  }
}

const ordersByDay = { kind: 'trend', period: '7d', series: [{ event: 'ordered' }] } as const

async function makeAnalysis(create: Create): Promise<Things> {
  const insight = await create<Identified>('/insights', { name: 'Orders by day', question: ordersByDay })
  const dashboard = await create<Identified>('/dashboards', {
    name: 'Growth',
    cards: [
      {
        id: 'orders',
        place: { x: 0, y: 0, w: 6, h: 5 },
        content: { type: 'insight', insight: insight.id },
      },
      { id: 'words', place: { x: 6, y: 0, w: 6, h: 5 }, content: { type: 'text', text: '# Read me' } },
    ],
  })
  const subject = { kind: 'dashboard', id: dashboard.id }
  const share = await create<{ path: string }>('/shares', { subject, mayChangePeriod: true })
  await create('/annotations', { at: new Date(Date.now() - 86_400_000).toISOString(), text: 'Released' })
  await create('/goals', { name: 'Ordered', goal: { type: 'page', path: '/thanks' } })
  const german = { type: 'session', key: '$session_country', operator: 'exact', value: ['DE'] }
  await create('/segments', { name: 'Germans', filter: { all: [german] } })
  const recipients = [{ by: 'mail', address: 'eve@example.com' }]
  const alert = await create<Identified>('/alerts', {
    name: 'Quiet',
    watched: { type: 'event', event: '$pageview' },
    condition: { type: 'absence', minutes: 60 },
    recipients,
  })
  const report = await create<Identified>('/reports', {
    name: 'Our week',
    about: { type: 'web' },
    recipients,
  })
  const { cohort } = await create<{ cohort: Identified }>('/cohorts', { name: 'Power users', persons: [] })
  return {
    insight: insight.id,
    dashboard: dashboard.id,
    share: share.path,
    alert: alert.id,
    report: report.id,
    cohort: cohort.id,
  }
}

const variants = [
  { key: 'control', percentage: 50 },
  { key: 'test', percentage: 50 },
]

async function makeFlags(studio: TestStudio, create: Create): Promise<void> {
  await create('/environments', { name: 'staging' })
  await create('/holdouts', { name: 'Spring', percentage: 5 })
  await create('/layers', { name: 'Front page' })
  const environments = { production: { isOn: true, conditions: [{ percentage: 10 }] } }
  for (const key of ['dark-mode', 'new-menu']) await create('/flags', { key, kind: 'switch', environments })
  for (const key of ['checkout', 'headline'])
    await create('/flags', { key, kind: 'variants', variants, environments })
  await askApi(studio, 'PATCH', '/projects/acme/flags/dark-mode', { description: 'A dark theme' })
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  await create('/flags/dark-mode/schedules', { steps: [{ at: tomorrow, percentage: 50 }] })
  await create('/flag-guards', {
    flag: 'new-menu',
    steps: [{ percentage: 50, afterMinutes: 60 }],
    metrics: [{ type: 'exceptions' }],
  })
}

async function makeExperiments(create: Create): Promise<Things> {
  const measured = { type: 'conversion', happening: { event: 'ordered' } }
  const metrics = [{ name: 'Orders', measured }]
  const running = await create<Identified>('/experiments', { name: 'Checkout', flag: 'checkout', metrics })
  await create(`/experiments/${running.id}/start`, {})
  const draft = await create<Identified>('/experiments', { name: 'Headline', flag: 'headline', metrics })
  return { running: running.id, draft: draft.id }
}

async function makeSurvey(create: Create): Promise<Identified> {
  const survey = await create<Identified>('/surveys', {
    name: 'Recommendation',
    content: {
      questions: [
        { id: 'score', kind: 'rating', text: 'Would you recommend us?', display: 'number', scale: 10 },
        { id: 'why', kind: 'open', text: 'Why?' },
      ],
    },
    placement: { kind: 'api' },
    hostedPage: { isOpen: true },
  })
  await create(`/surveys/${survey.id}/launch`, {})
  await create(`/surveys/${survey.id}/links`, { count: 1 })
  return survey
}

async function makePosts(studio: TestStudio, create: Create): Promise<Things> {
  await create('/authors', { name: 'Zoë Lima' })
  await create('/redirects', { from: '/old', to: '/blog' })
  const body = 'It is **shorter** now.'
  const { id } = await create<Identified>('/posts', { title: 'How we rebuilt checkout', body })
  await askApi(studio, 'PATCH', `/projects/acme/posts/${id}`, { body: 'It is *much* shorter now.' })
  await create(`/posts/${id}/publish`, {})
  await create(`/posts/${id}/trial`, { variants: [{ title: 'A shorter checkout' }] })
  executeInStore(
    studio,
    `insert into post_comments (id, project_id, post_id, name, text, state, written_at)
     select '00000000-0000-4000-8000-000000000001', id, '${id}', 'Ben', 'Thank you.', 'waiting',
       '2026-01-01T00:00:00.000Z'
     from projects where slug = 'acme'`,
  )
  const draft = await create<Identified>('/posts', { title: 'What we learned' })
  return { post: id, draftPost: draft.id }
}

/** Ben, another invitation, a key, and another browser of Ana's. */
async function makeMembers(studio: TestStudio, create: Create): Promise<void> {
  executeInStore(
    studio,
    `insert into sessions (id, token_hash, member_id, client, address, created_at, seen_at, authenticated_at, ends_at)
     select 'another', 'another', member_id, 'Firefox on Linux', address, created_at, seen_at, authenticated_at, ends_at
     from sessions limit 1`,
  )
  await create('/invitations', { role: 'viewer' })
  await create('/keys', { name: 'Deploy', scopes: ['project:read'] })
  const ben = await aMember(studio, 'viewer', 'Ben')
  await ben.context().close()
}

/** Cleo, who was a visitor on a laptop before, ordered and answered the survey. */
async function makePersons(studio: TestStudio, survey: string): Promise<string> {
  await send(studio, anEvent({ distinct_id: 'laptop' }))
  const $set = { email: 'cleo@example.com' }
  await send(
    studio,
    anEvent({ event: '$identify', distinct_id: 'cleo', properties: { $anon_distinct_id: 'laptop', $set } }),
  )
  const answer = {
    $survey_id: survey,
    $survey_submission_id: 'of-cleo',
    $survey_completed: true,
    $survey_response_score: 9,
    $survey_response_why: 'Fast',
  }
  await send(studio, [
    anEvent({ event: 'ordered', distinct_id: 'cleo', properties: { $groups: { company: 'x-ray' } } }),
    anEvent({ event: 'survey sent', distinct_id: 'cleo', properties: answer }),
    anEvent({
      event: '$feature_flag_called',
      distinct_id: 'cleo',
      properties: { $feature_flag: 'dark-mode', $feature_flag_response: true },
    }),
  ])
  const cleo = async () => {
    const { persons } = await askApi<{ persons: (Identified & { name?: string })[] }>(
      studio,
      'GET',
      '/projects/acme/persons?search=cleo',
    )
    return persons[0]?.id
  }
  await untilStored(studio, 5)
  await expect.poll(cleo, { interval: 250 }).toBeTruthy()
  return (await cleo()) ?? ''
}

import { expect, test } from 'vitest'
import { operator } from '#projects/access'
import type { Project } from '#projects/project'
import type { Product } from '#server/product'
import { openTestProduct, problemMessages, requireDone } from '#test/product/fixture'
import { npsQuestion } from '#test/product/some-survey'
import { applyConfiguration, pulledConfiguration } from './apply-configuration'

const viewer = operator()
const trend = { kind: 'trend', series: [{ event: 'signup' }] }

/** A project with a definition of every kind that refer to each other. */
async function filledProject(product: Product, { id }: Project): Promise<void> {
  const { flags, insights, people, experiments, surveys, dashboards, alerts, projects } = product
  const answers = { currency: 'USD', testAccounts: { type: 'person', key: 'email', operator: 'is_set' } }
  requireDone(await projects.change(id, { timeZone: 'Europe/Berlin', answers }, viewer))
  requireDone(await flags.environments.create(id, { name: 'staging' }, viewer))
  requireDone(
    await insights.definitions.create(
      id,
      { type: 'event property', name: 'plan', description: 'Free or pro' },
      viewer,
    ),
  )
  const is = { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] }
  const { cohort: pros } = requireDone(
    await people.cohorts.create(id, { name: 'Pro users', definition: { is } }, viewer),
  )
  const both = { all: [{ in: pros.id }, { did: { event: 'signup' } }] }
  requireDone(await people.cohorts.create(id, { name: 'Active pros', definition: both }, viewer))
  const inPros = { type: 'cohort', cohort: pros.id, operator: 'in' }
  requireDone(await insights.segments.create(id, { name: 'Paying', filter: inPros }, viewer))
  requireDone(
    await insights.goals.create(id, { name: 'Signup', goal: { type: 'event', event: 'signup' } }, viewer),
  )
  const measured = { type: 'conversion', happening: { event: 'signup', filter: inPros } }
  const { metric } = requireDone(await experiments.metrics.create(id, { name: 'Signups', measured }, viewer))
  const { holdout } = requireDone(
    await flags.holdouts.create(id, { name: 'Nothing new', percentage: 5 }, viewer),
  )
  const { layer } = requireDone(await flags.layers.create(id, { name: 'Checkout' }, viewer))
  requireDone(await flags.create(id, { key: 'base', environments: { production: { isOn: true } } }, viewer))
  const setting = {
    isOn: true,
    conditions: [{ conditions: [inPros, { type: 'flag', flag: 'base', value: true }], percentage: 50 }],
    holdout: { id: holdout.id, percentage: 5 },
    layer: { id: layer.id, from: 0, until: 50 },
  }
  const variants = [
    { key: 'control', percentage: 50 },
    { key: 'test', percentage: 50 },
  ]
  requireDone(
    await flags.create(
      id,
      { key: 'a-price', kind: 'variants', variants, environments: { staging: setting } },
      viewer,
    ),
  )
  requireDone(
    await flags.create(
      id,
      {
        key: 'api-token',
        kind: 'config',
        isSecret: true,
        servedTo: 'servers',
        payloads: { true: '"hush-hush"' },
      },
      viewer,
    ),
  )
  requireDone(
    await surveys.create(
      id,
      {
        name: 'NPS',
        content: { questions: [npsQuestion] },
        placement: { kind: 'hosted' },
        hostedPage: { isOpen: true, pin: '123456' },
        notify: [{ by: 'mail', address: 'team@acme.example' }],
      },
      viewer,
    ),
  )
  const { insight } = requireDone(
    await insights.saved.create(id, { name: 'Signups', question: trend }, viewer),
  )
  const { experiment } = requireDone(
    await experiments.create(
      id,
      { name: 'Price', flag: 'a-price', metrics: [{ name: 'Signups', measured, savedMetric: metric.id }] },
      viewer,
    ),
  )
  const cards = [
    { content: { type: 'insight', insight: insight.id } },
    { content: { type: 'experiment', experiment: experiment.id } },
    { content: { type: 'question', title: 'Trend', question: trend } },
    { content: { type: 'text', text: 'Hello' } },
  ]
  const { dashboard } = requireDone(await dashboards.create(id, { name: 'Board', cards }, viewer))
  const condition = { type: 'threshold', is: 'below', value: 5, interval: 'day' }
  const watched = { type: 'insight', insight: insight.id }
  const recipients = [{ by: 'mail', address: 'team@acme.example' }]
  requireDone(await alerts.create(id, { name: 'Few signups', watched, condition, recipients }, viewer))
  const about = { type: 'dashboard', dashboard: dashboard.id }
  requireDone(await alerts.reports.create(id, { name: 'Monday', about, recipients }, viewer))
  await filledSite(product, id)
}

async function filledSite({ posts }: Product, id: number): Promise<void> {
  const look = { accent: '#224466', navigation: [{ label: 'Blog', address: '/blog' }], logo: '/logo.svg' }
  requireDone(await posts.sites.change(id, look, viewer))
  requireDone(await posts.authors.create(id, { name: 'Ada L.', bio: 'Writes' }, viewer))
  const body = '# Hello\n\n```js\nconst a = 1\n```\n\n- [ ] "quoted": *yes*\n'
  const post = { title: 'Hello', slug: 'hello', body, tags: ['News'], authors: ['ada-l'] }
  const { post: hello } = requireDone(await posts.create(id, post, viewer))
  requireDone(await posts.publish(id, hello.id, {}, viewer))
  requireDone(await posts.create(id, { kind: 'page', title: 'Home', slug: '' }, viewer))
  requireDone(await posts.create(id, { kind: 'page', title: 'Start', slug: 'docs/start', order: 2 }, viewer))
}

const options = { confirm: async () => 'write' as const }

async function twoProjects() {
  const { product, aProject } = await openTestProduct()
  const [acme, other] = [await aProject({ name: 'Acme' }), await aProject({ name: 'Other' })]
  await filledProject(product, acme)
  const pull = async ({ id }: Project) => requireDone(await pulledConfiguration(product, id)).text
  const apply = async ({ id }: Project, text: string, more: object = {}) =>
    await applyConfiguration(product, id, text, { ...options, ...more })
  return { product, acme, other, pull, apply }
}

test('the definitions of one project come to another, from which the same file is pulled', async () => {
  const { acme, other, pull, apply, product } = await twoProjects()
  const file = await pull(acme)
  expect(file).not.toMatch(/hush|123456|pinHash|tilth_|[0-9a-f]{8}-[0-9a-f]{4}-/)

  const { result } = requireDone(await apply(other, file))
  expect(result.created).toHaveLength(22)
  expect(await pull(other)).toBe(file)
  const actions = (await product.projects.audit.list(other.id, {}, viewer)).map(({ action }) => action)
  expect(actions).toEqual(expect.arrayContaining(['flag.create', 'survey.create', 'alert.create']))

  const again = requireDone(await apply(other, file, { confirm: () => Promise.reject(new Error('asked')) }))
  expect(again.result).toMatchObject({ created: [], changed: [], removed: [], written: false })
})

test('a difference is shown before it is written, field by field', async () => {
  const { acme, other, pull, apply } = await twoProjects()
  const file = await pull(acme)
  requireDone(await apply(other, file))
  const changed = file
    .replace('text: Hello', 'text: Goodbye')
    .replace('currency: USD', 'currency: GBP')
    .replace('Free or pro', 'What they pay for')
  const before = await pull(other)
  let shown: readonly string[] = []
  const confirm = async (difference: readonly string[]) => {
    shown = difference
    return 'cancel' as const
  }
  expect(problemMessages(await apply(other, changed, { confirm }))).toEqual(['Nothing was changed.'])
  expect(shown).toEqual(
    expect.arrayContaining([
      '~ definition “event property: plan”',
      '    description: "Free or pro" → "What they pay for"',
      '~ settings',
    ]),
  )
  expect(await pull(other)).toBe(before)
  requireDone(await apply(other, changed))
  expect(await pull(other)).toBe(changed)
})

test('what a file leaves out of a definition stays, and what it leaves out of an environment goes', async () => {
  const { acme, other, pull, apply } = await twoProjects()
  const file = await pull(acme)
  requireDone(await apply(other, file))
  const part = 'tilth: 1\nflags:\n  a-price:\n    environments:\n      staging:\n        isOn: false\n'
  const { result } = requireDone(await apply(other, part))
  expect(result.changed.map(({ fields }) => fields.map(({ field }) => field))).toEqual([['environments']])
  const after = await pull(other)
  expect(after).toContain('isOn: false')
  expect(after).not.toContain('id: Nothing new')
  expect(requireDone(await apply(other, part)).result).toMatchObject({ changed: [], written: false })
})

test('only --prune removes what the file does not have, and only of its sections', async () => {
  const { acme, pull, apply } = await twoProjects()
  const goals = 'tilth: 1\ngoals:\n  Paid:\n    goal:\n      type: event\n      event: paid\n'
  const { result } = requireDone(await apply(acme, goals))
  expect(result).toMatchObject({ created: ['goal “Paid”'], removed: [], left: ['goal “Signup”'] })
  requireDone(await apply(acme, goals, { prune: true }))
  const after = await pull(acme)
  expect(after).not.toContain('  Signup:')
  expect(after).toContain('  Pro users:')
})

const aliases = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
  .split('')
  .map((name, i) => {
    const before = 'abcdefgh'.charAt(i)
    return `${name}: &${name} [${`*${before},`.repeat(9)}]`
  })
  .join('\n')}`

test.each<[string, string, RegExp]>([
  ['no YAML', 'tilth: 1\ngoals: {', /^Line \d+, column \d+: /],
  ['two entries of one name', 'tilth: 1\ngoals:\n  A: {}\n  A: {}', /^Line 4, column 3: /],
  ['aliases that grow', aliases, /^The file cannot be read: /],
  ['another version', 'tilth: 2', /^tilth: Begin the file with "tilth: 1"/],
  ['a list', '- 1', /^Line \d+|no sections/],
  ['an unknown section', 'tilth: 1\nsecrets: {}', /^secrets: There is no section “secrets”/],
  ['a section that is a list', 'tilth: 1\ngoals: [1]', /^goals: Give the entries/],
  ['an entry that is a text', 'tilth: 1\ngoals:\n  A: x', /^goals\.A: Give the fields/],
  [
    'an unknown field',
    'tilth: 1\nflags:\n  a-b:\n    surprise: 1',
    /^flags\.a-b\.surprise: A file has no such field/,
  ],
  ['a prototype', 'tilth: 1\nflags:\n  __proto__:\n    isSecret: 1', /^flags\.__proto__/],
  ['a value that is none', 'tilth: 1\nflags:\n  a-b:\n    kind: weather', /^flags\.a-b\.kind: Choose a kind/],
  [
    'a query that is none',
    'tilth: 1\ninsights:\n  A:\n    question:\n      kind: funnel\n      steps: []',
    /^insights\.A\.question\.steps: /,
  ],
  [
    'a cohort that is nowhere',
    'tilth: 1\nsegments:\n  A:\n    filter: {type: cohort, cohort: Nobody, operator: in}',
    /^segments\.A\.filter\.cohort: There is no cohort “Nobody”/,
  ],
])('a file with %s is refused with its place, and nothing of it is written', async (_what, text, message) => {
  const { other, pull, apply } = await twoProjects()
  const before = await pull(other)
  const valid = '\ndefinitions:\n  "event: signup": {description: x}\n'
  const outcome = await apply(other, text + valid)
  expect(problemMessages(outcome).join('\n')).toMatch(message)
  expect(await pull(other)).toBe(before)
})

test('a post comes as a draft, and a change of a published one waits for a person', async () => {
  const { acme, other, pull, apply, product } = await twoProjects()
  const file = await pull(acme)
  requireDone(await apply(other, file))
  const [hello] = await product.posts.list(other.id, viewer, { search: 'Hello' })
  expect(hello).toMatchObject({ title: 'Hello', authors: ['ada-l'], publishedAt: undefined })

  requireDone(await product.posts.publish(other.id, hello?.id ?? '', {}, viewer))
  const changed = file.replace('title: Hello', 'title: Good evening')
  requireDone(await apply(other, changed))
  expect(await product.posts.find(other.id, hello?.id ?? '', viewer)).toMatchObject({
    title: 'Hello',
    unpublished: { fields: { title: 'Good evening' } },
  })
  expect(await pull(other)).toBe(changed)
  expect(requireDone(await apply(other, changed)).result).toMatchObject({ changed: [], written: false })
})

test('pictures of a site are of one project, and its look is not', async () => {
  const { acme, other, pull, apply, product } = await twoProjects()
  requireDone(await product.posts.sites.change(other.id, { logo: '/own.svg' }, viewer))
  requireDone(await apply(other, await pull(acme)))
  expect(await product.posts.sites.read(other.id, viewer)).toMatchObject({
    accent: '#224466',
    logo: '/own.svg',
    name: 'Other',
  })
})

test('an alert’s webhook and its secret survive a file that cannot name them', async () => {
  const { acme, pull, apply, product } = await twoProjects()
  const hook = { by: 'webhook', url: 'https://hooks.acme.example/a' }
  const [alert] = await product.alerts.list(acme.id, viewer)
  const id = alert?.id ?? ''
  const recipients = [{ by: 'mail', address: 'team@acme.example' }, hook]
  const made = requireDone(await product.alerts.change(acme.id, id, { recipients }, viewer))
  const webhookOf = (of: { recipients: readonly unknown[] }) => of.recipients.slice(1)
  const file = (await pull(acme)).replaceAll('team@acme.example', 'ops@acme.example')
  expect(file).not.toContain('hooks.acme.example')
  requireDone(await apply(acme, file))
  const after = await product.alerts.find(acme.id, id, viewer)
  expect(after?.recipients).toMatchObject([{ address: 'ops@acme.example' }, { by: 'webhook', url: hook.url }])
  expect(webhookOf(made.alert)).toEqual([{ ...hook, secret: expect.any(String) }])
  expect(after && webhookOf(after)).toEqual(webhookOf(made.alert))
})

test('two definitions of one name are no file', async () => {
  const { acme, product } = await twoProjects()
  const goal = { name: 'Signup', goal: { type: 'event', event: 'other' } }
  requireDone(await product.insights.goals.create(acme.id, goal, viewer))
  expect(problemMessages(await pulledConfiguration(product, acme.id))).toEqual([
    'The project has more than one goal with the name “Signup”. Rename one of them first.',
  ])
})

import { expect, onTestFinished, test } from 'vitest'
import { type MemberViewer, operator, type Right } from '#projects/access'
import type { Outcome } from '#projects/problems'
import type { Project } from '#projects/project'
import type { Product } from '#server/product'
import { openStore } from '#store/open'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { emptyEngine } from '#test/product/authorization/cast'
import { openTestProduct, present, problemMessages, requireDone, testOrigin } from '#test/product/fixture'
import type { ChangingServices } from './internal/proposable-change'
import { proposableChanges } from './internal/proposable-changes'
import { Proposals } from './proposals'

const reading: readonly Right[] = [
  'project:read',
  'events:read',
  'experiments:read',
  'surveys:read',
  'proposals:write',
]
const writing: readonly Right[] = [
  ...reading,
  'flags:write',
  'experiments:write',
  'surveys:write',
  'posts:write',
  'insights:write',
  'alerts:write',
]

/** The things that changes are made to, by the name under which inputs refer to them. */
interface Things {
  experiment: string
  draft: string
  survey: string
  post: string
  dashboard: string
}

const variants = [
  { key: 'control', percentage: 50 },
  { key: 'test', percentage: 50 },
]
const everyone = { isOn: true, conditions: [{ percentage: 100 }] }
const measured = { type: 'conversion', happening: { event: 'buy' } }

async function someThings(product: Product, { id }: Project): Promise<Things> {
  const viewer = operator()
  for (const key of ['price', 'colour', 'unused'])
    requireDone(
      await product.flags.create(
        id,
        { key, kind: 'variants', variants, environments: { production: everyone } },
        viewer,
      ),
    )
  const anExperiment = async (flag: string) =>
    requireDone(
      await product.experiments.create(
        id,
        { name: flag, flag, metrics: [{ name: 'Bought', measured }] },
        viewer,
      ),
    ).experiment.id
  const [experiment, draft] = [await anExperiment('price'), await anExperiment('colour')]
  requireDone(await product.experiments.start(id, experiment, {}, viewer))
  const content = { questions: [{ kind: 'open', text: 'Why?' }] }
  const { survey } = requireDone(await product.surveys.create(id, { name: 'Why', content }, viewer))
  const { post } = requireDone(await product.posts.create(id, { title: 'Hello', body: 'World' }, viewer))
  const { dashboard } = requireDone(await product.dashboards.create(id, { name: 'Growth' }, viewer))
  return { experiment, draft, survey: survey.id, post: post.id, dashboard: dashboard.id }
}

interface ChangeCase {
  input: (things: Things) => object
  lines: unknown
  /** Reads what was made, from the path of its page. */
  reads: (product: Product, projectId: number, path: string, things: Things) => Promise<unknown>
  made: unknown
  /** Whether even a key with the right to it has to ask. */
  asks: boolean
}

const viewer = operator()
const idIn = (path: string): string => path.split('/').at(-1) ?? ''
const question = { kind: 'trend', series: [{ event: 'buy' }] }

const cases: Record<string, ChangeCase> = {
  create_flag: {
    input: () => ({ key: 'new', environments: { production: everyone } }),
    lines: ['production: turned on', 'production: new: Everyone gets it.'],
    reads: (product, id) => product.flags.find(id, 'new', viewer),
    made: { createdBy: 'Ana Berg (proposed by Claude)' },
    asks: true,
  },
  change_flag: {
    input: () => ({ flag: 'unused', environments: { production: { isOn: false } } }),
    lines: ['production: turned off'],
    reads: (product, id) => product.flags.find(id, 'unused', viewer),
    made: { version: 2, environments: { production: { isOn: false } } },
    asks: true,
  },
  archive_flag: {
    input: () => ({ flag: 'unused' }),
    lines: expect.anything(),
    reads: (product, id) => product.flags.find(id, 'unused', viewer),
    made: { archivedAt: expect.any(Date) },
    asks: true,
  },
  create_experiment: {
    input: () => ({ name: 'Cheaper', flag: 'unused', metrics: [{ name: 'Bought', measured }] }),
    lines: expect.arrayContaining(['Name: “Cheaper”', 'Flag: “unused”', 'Metrics: “Bought”']),
    reads: (product, id, path) => product.experiments.find(id, idIn(path), viewer),
    made: { name: 'Cheaper', startedAt: undefined },
    asks: false,
  },
  start_experiment: {
    input: ({ draft }) => ({ id: draft }),
    lines: ['Exposures count from the start on'],
    reads: (product, id, _, { draft }) => product.experiments.find(id, draft, viewer),
    made: { startedAt: expect.any(Date) },
    asks: true,
  },
  end_experiment: {
    input: ({ experiment }) => ({ id: experiment, note: 'Too dear' }),
    lines: expect.arrayContaining(['Conclusion: “Too dear”']),
    reads: (product, id, _, { experiment }) => product.experiments.find(id, experiment, viewer),
    made: {
      endedAt: expect.any(Date),
      conclusion: { note: 'Too dear', by: 'Ana Berg (proposed by Claude)' },
    },
    asks: true,
  },
  ship_experiment: {
    input: ({ experiment }) => ({ id: experiment, variant: 'test' }),
    lines: ['Everyone gets the variant “test”'],
    reads: (product, id, _, { experiment }) => product.experiments.find(id, experiment, viewer),
    made: { conclusion: { outcome: 'shipped', variant: 'test' } },
    asks: true,
  },
  create_survey: {
    input: () => ({ template: 'nps' }),
    lines: ['Name: “Net promoter score (NPS)”', 'Template: “Net promoter score (NPS)”'],
    reads: (product, id, path) => product.surveys.find(id, idIn(path), viewer),
    made: { name: 'Net promoter score', startsAt: undefined },
    asks: false,
  },
  launch_survey: {
    input: ({ survey }) => ({ id: survey }),
    lines: ['Visitors are asked from the launch on'],
    reads: (product, id, _, { survey }) => product.surveys.find(id, survey, viewer),
    made: { startsAt: expect.any(Date) },
    asks: true,
  },
  write_post: {
    input: () => ({ title: 'News', body: '# Hi' }),
    lines: ['Title: “News”', 'Text: “# Hi”'],
    reads: (product, id, path) => product.posts.find(id, idIn(path), viewer),
    made: { title: 'News', body: '# Hi', publishedAt: undefined },
    asks: false,
  },
  publish_post: {
    input: ({ post }) => ({ id: post }),
    lines: ['Address: “/blog/hello”', 'Text: “World”'],
    reads: (product, id, _, { post }) => product.posts.find(id, post, viewer),
    made: { publishedAt: expect.any(Date) },
    asks: true,
  },
  annotate: {
    input: () => ({ at: '2026-03-01T10:00:00+01:00', text: 'Released' }),
    lines: ['Text: “Released”', 'At: “2026-03-01T09:00:00.000Z”'],
    reads: async (product, id) => (await product.insights.annotations.list(id, viewer))[0],
    made: { text: 'Released', at: new Date('2026-03-01T09:00:00Z') },
    asks: false,
  },
  save_insight: {
    input: () => ({ name: 'Bought', question }),
    lines: expect.arrayContaining(['Name: “Bought”']),
    reads: (product, id, path) => product.insights.saved.find(id, idIn(path), viewer),
    made: { name: 'Bought', question: { kind: 'trend' } },
    asks: false,
  },
  create_dashboard: {
    input: () => ({ name: 'Shop', cards: [{ content: { type: 'question', title: 'Bought', question } }] }),
    lines: ['Name: “Shop”', 'Cards: “Bought”'],
    reads: (product, id, path) => product.dashboards.find(id, idIn(path), viewer),
    made: { name: 'Shop', cards: [expect.anything()] },
    asks: false,
  },
  add_to_dashboard: {
    input: ({ dashboard }) => ({ dashboard, content: { type: 'text', text: 'Read me' } }),
    lines: ['Card: text “Read me”'],
    reads: (product, id, _, { dashboard }) => product.dashboards.find(id, dashboard, viewer),
    made: { cards: [expect.objectContaining({ content: { type: 'text', text: 'Read me' } })] },
    asks: false,
  },
  create_alert: {
    input: () => ({
      name: 'Quiet',
      watched: { type: 'event', event: 'buy' },
      condition: { type: 'absence', minutes: 60 },
      recipients: [{ by: 'mail', address: 'eve@example.com' }],
    }),
    lines: expect.arrayContaining(['Name: “Quiet”', 'Recipients: eve@example.com']),
    reads: (product, id, path) => product.alerts.find(id, idIn(path), viewer),
    made: { name: 'Quiet' },
    asks: true,
  },
}

async function aStage(held: readonly Right[]) {
  const fixture = await openTestProduct({ engine: emptyEngine })
  const { product, aProject, aMember, signedIn } = fixture
  const acme = await aProject()
  const things = await someThings(product, acme)
  const { text } = requireDone(
    await product.projects.keys.create(acme.id, { name: 'Claude', scopes: held }, operator()),
  )
  const assistant = present(await product.projects.keys.viewer(text, testOrigin))
  const ana: MemberViewer = await signedIn(await aMember({ role: 'editor' }))
  return { ...fixture, acme, things, assistant, ana }
}

test('every change has a case', () => {
  expect(proposableChanges.map(({ name }) => name)).toEqual(Object.keys(cases))
})

test.each(Object.entries(cases))('%s is proposed, and made when a member approves it', async (name, one) => {
  const { product, acme, things, assistant, ana } = await aStage(reading)
  const asked = requireDone(await product.proposals.request(acme.id, name, one.input(things), assistant))
  if (asked.made) throw new Error('It was made at once.')
  const { path } = requireDone(await product.proposals.approve(acme.id, asked.proposal.id, ana))

  expect(asked.proposal).toMatchObject({ lines: one.lines, state: 'open', proposedBy: 'Claude' })
  // what exists may be changed by others meanwhile
  expect(asked.proposal.version !== undefined).toBe(name in otherChanges)
  expect(await one.reads(product, acme.id, path, things)).toMatchObject(present(one.made as object))
})

test.each(Object.entries(cases))('%s by a key with the right to it', async (name, one) => {
  const { product, acme, things, assistant } = await aStage(writing)
  const asked = requireDone(await product.proposals.request(acme.id, name, one.input(things), assistant))

  expect(asked.made).toBe(!one.asks)
  if (asked.made)
    expect(await one.reads(product, acme.id, asked.path, things)).toMatchObject(present(one.made as object))
})

type OtherChange = (product: Product, projectId: number, things: Things) => Promise<Outcome>
const ofFlag: OtherChange = ({ flags }, id) => flags.change(id, 'unused', { description: 'Mine' }, viewer)
const ofDraft: OtherChange = ({ experiments }, id, { draft }) =>
  experiments.change(id, draft, { hypothesis: 'Mine' }, viewer)
const ofExperiment: OtherChange = ({ experiments }, id, { experiment }) =>
  experiments.change(id, experiment, { hypothesis: 'Mine' }, viewer)

/** The change of another member to the same thing, which comes between. */
const otherChanges: Record<string, OtherChange> = {
  change_flag: ofFlag,
  archive_flag: ofFlag,
  start_experiment: ofDraft,
  end_experiment: ofExperiment,
  ship_experiment: ofExperiment,
  launch_survey: ({ surveys }, id, { survey }) => surveys.change(id, survey, { name: 'Mine' }, viewer),
  publish_post: ({ posts }, id, { post }) => posts.change(id, post, { title: 'Mine' }, viewer),
  add_to_dashboard: ({ dashboards }, id, { dashboard }) =>
    dashboards.addCard(id, dashboard, { content: { type: 'text', text: 'Mine' } }, viewer),
}

/** Proposals over a store after whose first write something else is written. */
async function withOtherWrite(
  folder: string,
  services: ChangingServices,
  world: World,
  write: () => unknown,
) {
  const store = await openStore({ folder })
  onTestFinished(() => store.close())
  let written = false
  const transaction: Store['transaction'] = async (work) => {
    const outcome = await store.transaction(work)
    if (!written) await write()
    written = true
    return outcome
  }
  return new Proposals({ store: Object.assign(Object.create(store), { transaction }), world, services })
}

test.each(Object.entries(otherChanges))(
  '%s does not write over a change that comes between its approval and it',
  async (name, changeOther) => {
    const { product, folder, world, acme, things, assistant, ana } = await aStage(reading)
    const one = present(cases[name])
    const asked = requireDone(await product.proposals.request(acme.id, name, one.input(things), assistant))
    if (asked.made) throw new Error('It was made at once.')
    const { id, thing } = asked.proposal
    const proposals = await withOtherWrite(folder, product, world, async () => {
      world.advance('1 minute')
      requireDone(await changeOther(product, acme.id, things))
    })

    expect(problemMessages(await proposals.approve(acme.id, id, ana))).toEqual([
      expect.stringMatching(/^It was changed after this was proposed/),
    ])
    expect(await one.reads(product, acme.id, thing, things)).not.toMatchObject(present(one.made as object))
    const { proposal } = present(await product.proposals.find(acme.id, id, ana))
    expect(proposal).toMatchObject({ state: 'open', decidedBy: undefined })
  },
)

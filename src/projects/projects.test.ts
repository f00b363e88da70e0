import * as fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import {
  openTestProduct,
  requireDone,
  type TestProduct,
  problemMessages,
  present,
  testOrigin,
} from '#test/product/fixture'
import { runs } from '#test/random/chance'
import { operator, AccessRefusedError, type Viewer } from './access'
import { projectSlug, timeZone } from './project'
import { freeSlug, isReserved, slugFrom } from './slug'

const slugRule = 'Use 1 to 48 lower-case letters, digits and dashes; begin and end with a letter or digit.'
const taken = 'Another project already has this URL slug. Choose another.'
const noSuchProject = new AccessRefusedError('not-found', 'There is no such project.')
const byOperator: Viewer = operator()

describe('an address part', () => {
  test.each([['acme'], ['a'], ['7up'], ['acme-2'], ['a--b'], ['a'.repeat(48)]])('may be %j', async (slug) => {
    expect(projectSlug.safeParse(slug)).toEqual({ success: true, data: slug })
  })

  test.each<[unknown, string]>([
    ['', slugRule],
    ['-acme', slugRule],
    ['acme-', slugRule],
    ['Acme', slugRule],
    ['ac me', slugRule],
    ['acme/../etc', slugRule],
    ['acme\nacme', slugRule],
    ['müller', slugRule],
    ['a'.repeat(49), slugRule],
    ['settings', 'This slug is reserved. Choose another.'],
    ['sign-in', 'This slug is reserved. Choose another.'],
    ['new', 'This slug is reserved. Choose another.'],
    ['7', 'Use at least one letter: numbers are project ids.'],
    ['2026', 'Use at least one letter: numbers are project ids.'],
    [7, 'Give the URL slug as text.'],
  ])('may not be %j', async (slug, message) => {
    const { product } = await openTestProduct()
    const outcome = await product.projects.create({ name: 'Acme', slug }, byOperator)

    expect(outcome).toEqual({ done: false, problems: [{ field: 'slug', message }] })
    expect(product.projects.list(byOperator)).toEqual([])
  })

  test.each([
    ['Müller & Söhne', 'muller-sohne'],
    ['  Acme, Inc.  ', 'acme-inc'],
    ['Éclair à la carte', 'eclair-a-la-carte'],
    ['東京', 'project'],
    ['🌱', 'project'],
    ['---', 'project'],
    ['2026', 'project-2026'],
    ['Settings', 'settings-project'],
    ['Sign in', 'sign-in-project'],
    ['ﬁnancial ½', 'financial-1-2'],
    ['x'.repeat(80), 'x'.repeat(48)],
    [`${'x'.repeat(47)} y`, 'x'.repeat(47)],
  ])('is made of the name %j: %j', (name, slug) => {
    expect(slugFrom(name)).toBe(slug)
  })

  test('that is made of any name is one that may be chosen', () => {
    const names = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 120 }),
      fc.string({ unit: 'grapheme', maxLength: 120 }),
      fc.stringMatching(/^[a-z0-9 -]{0,80}$/),
      fc.stringMatching(/^[0-9]{1,80}$/),
      fc.constantFrom('setup', 'sign-in', 'new', 'api', 'Settings', 'JOIN'),
    )
    fc.assert(
      fc.property(names, (name) => projectSlug.safeParse(slugFrom(name)).success),
      { numRuns: runs(2000) },
    )
  })

  test('that is free is found however many are taken, and may be chosen', () => {
    const slugs = fc.stringMatching(/^[a-z][a-z0-9-]{0,46}[a-z0-9]$/).filter((slug) => !isReserved(slug))
    fc.assert(
      fc.property(slugs, fc.integer({ min: 0, max: 30 }), (wanted, others) => {
        const all = new Set<string>()
        for (let project = 0; project <= others; project++) all.add(freeSlug(wanted, all))
        return all.size === others + 1 && [...all].every((slug) => projectSlug.safeParse(slug).success)
      }),
    )
  })

  test('that was not asked for is the first one free', async () => {
    const { product } = await openTestProduct()
    const slugs: string[] = []
    for (let time = 0; time < 3; time++)
      slugs.push(requireDone(await product.projects.create({ name: 'Acme' }, byOperator)).project.slug)

    expect(slugs).toEqual(['acme', 'acme-2', 'acme-3'])
  })

  test('that was asked for goes to one of many who ask at once, in two processes', async () => {
    const { product, anotherProcess } = await openTestProduct()
    const other = await anotherProcess()
    const asking = [product, other, product, other].map((process) =>
      process.projects.create({ name: 'Acme', slug: 'acme' }, byOperator),
    )
    const outcomes = await Promise.all(asking)

    expect(outcomes.filter((outcome) => outcome.done)).toHaveLength(1)
    for (const outcome of outcomes.filter((one) => !one.done)) {
      expect(outcome).toEqual({ done: false, problems: [{ field: 'slug', message: taken }] })
    }
  })

  test('is another one for each of many made of the same name at once', async () => {
    const { product, anotherProcess } = await openTestProduct()
    const other = await anotherProcess()
    const asking = [product, other, product, other].map((process) =>
      process.projects.create({ name: 'Acme' }, byOperator),
    )
    const projects = (await Promise.all(asking)).map((outcome) => requireDone(outcome).project)

    expect(projects.map(({ slug }) => slug).toSorted()).toEqual(['acme', 'acme-2', 'acme-3', 'acme-4'])
    expect(new Set(projects.map(({ id }) => id))).toEqual(new Set([1, 2, 3, 4]))
  })

  test('cannot be changed to one that is taken', async () => {
    const { product, aProject } = await openTestProduct()
    await aProject({ name: 'Acme' })
    const other = await aProject({ name: 'Other' })

    expect(problemMessages(await product.projects.change(other.id, { slug: 'acme' }, byOperator))).toEqual([
      taken,
    ])
    expect(product.projects.find('other', byOperator)).toEqual(other)
  })

  test('of an archived project stays taken', async () => {
    const { product, aProject } = await openTestProduct()
    const acme = await aProject({ name: 'Acme' })
    requireDone(await product.projects.archive(acme.id, byOperator))

    expect(
      problemMessages(await product.projects.create({ name: 'Acme', slug: 'acme' }, byOperator)),
    ).toEqual([taken])
  })
})

describe('a time zone', () => {
  test.each([
    ['UTC', 'UTC'],
    ['Europe/Berlin', 'Europe/Berlin'],
    ['europe/berlin', 'Europe/Berlin'],
    ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['Pacific/Chatham', 'Pacific/Chatham'],
  ])('%j is kept as %j', (given, kept) => {
    expect(timeZone.parse(given)).toBe(kept)
  })

  test.each([[''], ['Mars/Olympus'], ['+01:00'], ['-08'], ['Berlin'], ['Europe/Berlin '], [7], [undefined]])(
    '%j is none',
    (given) => {
      const [issue] = timeZone.safeParse(given).error?.issues ?? []
      expect(issue?.message).toBe('Name a time zone such as "Europe/Berlin" or "UTC".')
    },
  )
})

describe('a project', () => {
  test('begins in UTC with a write key of its own', async () => {
    const { product, world } = await openTestProduct()
    const { project } = requireDone(await product.projects.create({ name: ' Acme ' }, byOperator))

    expect(project).toEqual({
      id: 1,
      slug: 'acme',
      name: 'Acme',
      timeZone: 'UTC',
      writeKey: expect.stringMatching(/^phc_[0-9A-Za-z]{40}$/),
      hosts: [],
      siteAddress: '',
      aliases: [],
      intake: {},
      answers: {},
      createdAt: world.now(),
      archivedAt: undefined,
    })
  })

  test.each<[unknown, string]>([
    [{}, 'Give the project a name.'],
    [{ name: ' ' }, 'Give the project a name.'],
    [{ name: 'x'.repeat(81) }, 'Use at most 80 characters for the name.'],
    [{ name: 'Acme\u0000' }, 'Leave out line breaks and other characters that cannot be seen.'],
    [{ name: 'Acme', timeZone: 'nowhere' }, 'Name a time zone such as "Europe/Berlin" or "UTC".'],
  ])('is not made of %j', async (input, message) => {
    const { product } = await openTestProduct()

    expect(problemMessages(await product.projects.create(input, byOperator))).toEqual([message])
  })

  test('changes what is named and nothing else', async () => {
    const { product, aProject } = await openTestProduct()
    const acme = await aProject()
    const { project } = requireDone(
      await product.projects.change(
        acme.id,
        { name: 'New', slug: undefined, id: 7, writeKey: 'x' },
        byOperator,
      ),
    )

    expect(project).toEqual({ ...acme, name: 'New' })
    expect(product.projects.find(acme.slug, byOperator)).toEqual(project)
  })

  test('keeps every setting that two people change at the same time', async () => {
    const { product, aProject } = await openTestProduct()
    const { id } = await aProject()
    const outcomes = await Promise.all([
      product.projects.changeSettings(id, { answers: { currency: 'CHF' } }, byOperator),
      product.projects.changeSettings(id, { answers: { weekStart: 'sunday' } }, byOperator),
      product.projects.changeSettings(id, { intake: { keep: { eventDays: 400 } } }, byOperator),
      product.projects.changeSettings(
        id,
        { hosts: ['acme.example'], intake: { optOut: 'drop' } },
        byOperator,
      ),
    ])

    expect(outcomes.map(({ done }) => done)).toEqual([true, true, true, true])
    expect(product.projects.find(String(id), byOperator)).toMatchObject({
      hosts: ['acme.example'],
      intake: { keep: { eventDays: 400 }, optOut: 'drop' },
      answers: { currency: 'CHF', weekStart: 'sunday' },
    })
  })

  test('loses a setting that is removed, and no setting to a wrong one', async () => {
    const { product, aProject } = await openTestProduct()
    const { id } = await aProject()
    const change = (answers: object) => product.projects.changeSettings(id, { answers }, byOperator)
    requireDone(await change({ testAccounts: { type: 'person', key: 'email', operator: 'is_set' } }))
    expect(await change({ currency: 'cents' })).toEqual({
      done: false,
      problems: [
        { field: 'answers.currency', message: 'Write the three letters of the currency, such as "EUR".' },
      ],
    })
    const { answers } = requireDone(await change({ testAccounts: undefined })).project
    expect(answers).toMatchObject({ currency: 'EUR', weekStart: 'monday' })
    expect(answers['testAccounts']).toBeUndefined()
  })

  test('that is not there is refused in the same words as one that may not be seen', async () => {
    const { product, aProject, aMember, signedIn } = await openTestProduct()
    const acme = await aProject()
    const other = await aProject({ name: 'Other' })
    const viewer = await signedIn(await aMember({ role: 'owner', project: other }))

    for (const name of [acme.slug, String(acme.id), 'nothing', '99', '']) {
      expect(() => product.projects.find(name, viewer)).toThrow(noSuchProject)
    }
    await expect(product.projects.change(99, { name: 'x' }, byOperator)).rejects.toThrow(noSuchProject)
    await expect(product.projects.change(acme.id, { name: 'x' }, viewer)).rejects.toThrow(noSuchProject)
  })

  test('may be created only by a member who owns one already', async () => {
    const { product, aProject, aMember, signedIn } = await openTestProduct()
    const acme = await aProject()
    const { text } = requireDone(
      await product.projects.keys.create(acme.id, { name: 'CI', scopes: 'every' }, byOperator),
    )
    const owner = await signedIn(await aMember({ role: 'owner', name: 'Olga Owner' }))
    const others = [
      await signedIn(await aMember({ role: 'admin', name: 'Adam Admin' })),
      await signedIn(await aMember({ role: 'viewer', name: 'Vera Viewer' })),
      present(await product.projects.keys.viewer(text, testOrigin)),
    ]

    const { project } = requireDone(await product.projects.create({ name: 'Second' }, owner))
    expect(await product.projects.members.list(project.id, byOperator)).toMatchObject([
      { member: { name: 'Olga Owner' }, role: 'owner' },
    ])
    for (const viewer of others) {
      await expect(product.projects.create({ name: 'Third' }, viewer)).rejects.toThrow(
        'Only project owners can create projects.',
      )
    }
  })

  test('is listed for its members alone, the archived ones last', async () => {
    const { product, aProject, aMember, signedIn } = await openTestProduct()
    const first = await aProject({ name: 'First' })
    const second = await aProject({ name: 'Second' })
    await aProject({ name: 'Third' })
    const ana = await aMember({ project: first })
    const invited = requireDone(
      await product.projects.invitations.create(second.id, { role: 'viewer' }, byOperator),
    )
    requireDone(await product.projects.invitations.accept(invited.token, await signedIn(ana)))
    requireDone(await product.projects.archive(first.id, byOperator))

    expect(product.projects.list(await signedIn(ana)).map(({ name }) => name)).toEqual(['Second', 'First'])
    expect(product.projects.list(byOperator).map(({ name }) => name)).toEqual(['Second', 'Third', 'First'])
  })
})

describe('archiving', () => {
  test('closes a project to events and keeps all of it, until it is restored', async () => {
    const { product, world, aProject, aMember } = await openTestProduct()
    const acme = await aProject()
    await aMember()
    const { project } = requireDone(await product.projects.archive(acme.id, byOperator))

    expect(project).toEqual({ ...acme, archivedAt: world.now() })
    expect(product.projects.named(acme.writeKey)).toBeUndefined()
    expect(await product.projects.members.list(acme.id, byOperator)).toHaveLength(1)
    expect(requireDone(await product.projects.restore(acme.id, byOperator)).project).toEqual(acme)
    expect(product.projects.named(acme.writeKey)).toEqual(acme)
  })

  test('does not give its number to another project', async () => {
    const { product, aProject } = await openTestProduct()
    const acme = await aProject()
    requireDone(await product.projects.archive(acme.id, byOperator))

    expect((await aProject({ name: 'Next' })).id).toBe(acme.id + 1)
  })
})

describe('another process', () => {
  const often = { interval: 20 }

  test.each<[string, (product: TestProduct) => Promise<unknown>, string | undefined]>([
    ['a project that is opened', ({ aProject }) => aProject({ name: 'Second' }), 'Second'],
    ['a project that is archived', ({ product }) => product.projects.archive(1, byOperator), undefined],
    [
      'a name that is changed',
      ({ product }) => product.projects.change(1, { name: 'New' }, byOperator),
      'New',
    ],
    ['a write key that is renewed', ({ product }) => product.projects.renewWriteKey(1, byOperator), 'Acme'],
  ])('knows of %s within a second', async (_, change, expected) => {
    const fixture = await openTestProduct()
    const acme = await fixture.aProject()
    const other = await fixture.anotherProcess()
    expect(other.projects.named(acme.writeKey)).toEqual(acme)
    await change(fixture)
    const last = fixture.product.projects.list(byOperator).at(-1)

    await vi.waitFor(() => {
      expect(other.projects.list(byOperator)).toEqual(fixture.product.projects.list(byOperator))
      expect(other.projects.named(last?.writeKey ?? '')?.name).toBe(expected)
    }, often)
  })

  test('knows at once of what it changes itself', async () => {
    const { product } = await openTestProduct()
    const { project } = requireDone(await product.projects.create({ name: 'Acme' }, byOperator))

    expect(product.projects.named(project.writeKey)).toEqual(project)
  })
})

import { describe, expect, test } from 'vitest'
import type { Post } from '#posts/post'
import { defaultSite } from '#posts/site'
import { PageVisit } from '#visits/visit'
import { entriesOf } from './list-entries'

const tried: Post = {
  id: '42',
  projectId: 1,
  kind: 'post',
  source: 'studio',
  slug: 'tried',
  title: 'As it is',
  excerpt: 'What it says itself.',
  body: 'Words.',
  cover: undefined,
  tags: [],
  authors: ['ana', 'gone'],
  series: undefined,
  isFeatured: false,
  allowsComments: false,
  metaTitle: '',
  metaDescription: '',
  canonical: '',
  publishedAt: new Date('2026-11-21T10:00:00Z'),
  createdAt: new Date(0),
  changedAt: new Date(0),
  version: 1,
  archivedAt: undefined,
  trial: {
    key: 'post-42-1',
    variants: [{ key: 'a' }, { key: 'b', title: 'As it might be' }],
    startedAt: new Date(0),
    metric: 'clicks',
    state: { name: 'running' },
  },
}

const ana = { slug: 'ana', name: 'Ana', bio: '', picture: undefined, links: [] }

async function shownTo(decisions: Record<string, string>, post = tried) {
  const visit = new PageVisit({
    projectId: 1,
    visitor: 'v',
    isCookieless: true,
    decisions,
    payloads: {},
    withheld: [],
    isTried: false,
  })
  const site = { ...defaultSite, projectId: 1, origin: 'https://a.example', timeZone: 'UTC', writeKey: 'k' }
  // lists ask nothing else of what is published
  const published = { authors: () => [ana], noteListed: () => {} } as unknown as Parameters<
    typeof entriesOf
  >[1]['published']
  // nor of what was prepared
  const prepared = {
    summaries: async () => [{ beginning: 'Words.', minutes: 1 }],
  } as unknown as Parameters<typeof entriesOf>[1]['prepared']
  const [entry] = await entriesOf([post], { site, visit, published, prepared })
  return { entry, uses: visit.uses }
}

describe('while two titles are tried', () => {
  test.each([
    // what was decided        the title                 and what is said to have been shown
    [{ 'post-42-1': 'a' }, 'As it is', { flag: 'post-42-1', variant: 'a' }],
    [{ 'post-42-1': 'b' }, 'As it might be', { flag: 'post-42-1', variant: 'b' }],
    [{ 'post-42-1': 'z' }, 'As it is', undefined],
    [{}, 'As it is', undefined],
  ])('%o shows %s', async (decisions, title, shown) => {
    const { entry, uses } = await shownTo(decisions)

    expect(entry).toMatchObject({ title, excerpt: 'What it says itself.', shown })
    expect(uses).toEqual(['post-42-1'])
  })
})

test('once it is over no one is asked, and the page is the same for all', async () => {
  const trial = { ...tried.trial, state: { name: 'stopped', at: new Date(0), by: 'ana' } }
  const over = { ...tried, trial } as Post // of its two states this is one

  expect(await shownTo({ 'post-42-1': 'b' }, over)).toMatchObject({ entry: { title: 'As it is' }, uses: [] })
})

test('authors who are not there any more are left out', async () => {
  expect((await shownTo({})).entry?.authors).toEqual([ana])
})

import { expect, test } from 'vitest'
import { shortStoryOf, type StoryFacts, storyOf } from './story'

const noFacts: StoryFacts = {
  channel: '',
  source: '',
  lastPage: { path: '', title: '' },
  pages: 0,
  events: [],
  variants: [],
  surveys: [],
}

const boards = { path: '/boards', title: 'Boards 2' }

test.each<[Partial<StoryFacts>, string]>([
  [{}, ''],
  [{ channel: 'Direct' }, 'Came directly'],
  [{ channel: 'AI assistants', source: 'ChatGPT' }, 'From ChatGPT'],
  [{ channel: 'Email' }, 'From Email'],
  [{ lastPage: boards, pages: 1 }, 'Read “Boards 2”'],
  [{ lastPage: { path: '/pricing', title: '' }, pages: 3 }, 'Read /pricing and 2 more'],
  [{ events: ['signup'] }, 'Signed up'],
  [{ events: ['User Signed Up', 'signup'] }, 'Signed up'],
  [{ events: ['board_created'] }, 'Board created'],
  [{ events: ['export'] }, 'Did export'],
  [{ events: ['feed', 'seed'] }, 'Did feed, did seed'],
  [{ events: ['zoom', 'export', 'orderCompleted'] }, 'Bought, did export'],
  [{ events: ['$web_vitals', '$pageview'] }, ''],
  [{ variants: [{ flag: 'headline', variant: 'b' }] }, 'Saw variant B of headline'],
  [{ variants: [{ flag: 'headline', variant: 'short' }] }, 'Saw “short” of headline'],
  [{ variants: [{ flag: 'nav', variant: 'true' }] }, ''],
  [{ surveys: ['NPS'] }, 'Answered “NPS”'],
  [{ surveys: [''] }, 'Answered a survey'],
  [
    {
      channel: 'AI assistants',
      source: 'ChatGPT',
      lastPage: boards,
      pages: 1,
      events: ['signup'],
      variants: [{ flag: 'headline', variant: 'b' }],
      surveys: ['NPS'],
    },
    'From ChatGPT, read “Boards 2”, signed up, saw variant B of headline, answered “NPS”',
  ],
])('of %j the story is “%s”', (facts, story) => {
  expect(storyOf({ ...noFacts, ...facts })).toBe(story)
})

test('a line of a list ends before the part that does not fit, a page tells it whole', () => {
  const facts: StoryFacts = {
    ...noFacts,
    channel: 'Referral',
    source: 'news.example.com',
    lastPage: { path: '/', title: 'A title of many words that goes on and on, for no reason at all' },
    pages: 12,
    events: ['signup'],
    surveys: ['NPS'],
  }
  expect(storyOf(facts)).toBe(
    'From news.example.com, read “A title of many words that goes on and o…” and 11 more, signed up, answered “NPS”',
  )
  expect(shortStoryOf(facts)).toBe(
    'From news.example.com, read “A title of many words that goes on and o…” and 11 more',
  )
})

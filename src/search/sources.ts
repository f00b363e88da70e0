import type { Cohorts } from '#persons/cohorts/cohorts'
import type { Dashboards } from '#dashboards/dashboards'
import { eventLabel } from '#events/taxonomy'
import { codesNamed, valueName } from '#events/value-names'
import type { Experiments } from '#experiments/experiments'
import type { Flags } from '#flags/flags'
import type { Goals } from '#insights/goals/goals'
import type { PersonDirectory } from '#insights/people/person-directory'
import type { SavedInsights } from '#insights/saved/saved-insights'
import type { Segments } from '#insights/segments/segments'
import type { NameSuggestions } from '#insights/text/name-suggestions'
import type { Posts } from '#posts/posts'
import type { Viewer } from '#projects/access'
import type { Surveys } from '#surveys/surveys'
import type { SearchKind, SearchResult } from './result'

export interface SearchDependencies {
  dashboards: Pick<Dashboards, 'list' | 'find'>
  savedInsights: Pick<SavedInsights, 'list' | 'find'>
  flags: Pick<Flags, 'list' | 'find'>
  experiments: Pick<Experiments, 'list' | 'find'>
  surveys: Pick<Surveys, 'list' | 'find'>
  posts: Pick<Posts, 'list' | 'find'>
  people: Pick<PersonDirectory, 'search' | 'named'>
  cohorts: Pick<Cohorts, 'list' | 'find'>
  goals: Pick<Goals, 'list'>
  segments: Pick<Segments, 'list'>
  names: Pick<NameSuggestions, 'events' | 'properties'>
}

interface SearchSource {
  /** Everything that the text may fit. */
  list(projectId: number, text: string, viewer: Viewer): Promise<SearchResult[]>
  find(projectId: number, id: string, viewer: Viewer): Promise<SearchResult | undefined>
  /** Whether `list` has compared the text already and puts the best first. */
  isRanked?: true
}

type Archivable = { archivedAt: Date | undefined }

/** The lists of each kind. Each method checks the viewer's right itself. */
export const searchSources = ({
  dashboards,
  savedInsights,
  flags,
  experiments,
  surveys,
  posts,
  people,
  cohorts,
  goals,
  segments,
  names,
}: SearchDependencies): Readonly<Record<SearchKind, SearchSource>> => ({
  dashboard: fromEntries('dashboard', dashboards),
  insight: fromEntries('insight', {
    list: async (projectId, viewer) => {
      const found = await savedInsights.list(projectId, {}, viewer)
      return found.done ? found.insights : []
    },
    find: (projectId, id, viewer) => savedInsights.find(projectId, id, viewer),
  }),
  experiment: fromEntries('experiment', experiments),
  survey: fromEntries('survey', surveys),
  cohort: fromEntries('cohort', cohorts),
  goal: fromList('goal', goals),
  segment: fromList('segment', segments),
  flag: {
    list: async (projectId, _, viewer) =>
      (await flags.list(projectId, viewer)).filter(isLive).map(flagResult),
    find: async (projectId, key, viewer) => mapped(await flags.find(projectId, key, viewer), flagResult),
  },
  post: {
    list: async (projectId, _, viewer) => (await posts.list(projectId, viewer)).map(postResult),
    find: async (projectId, id, viewer) => mapped(await posts.find(projectId, id, viewer), postResult),
  },
  person: {
    list: async (projectId, text, viewer) => (await people.search(projectId, text, viewer)).map(personResult),
    find: async (projectId, id, viewer) =>
      mapped((await people.named(projectId, [id], viewer))[0], personResult),
    isRanked: true,
  },
  event: {
    list: async (projectId, _, viewer) =>
      (await names.events(projectId, viewer)).map(({ name }) => eventResult(name)),
    find: async (_, name) => eventResult(name),
  },
  property: {
    list: async (projectId, _, viewer) => {
      const found = await names.properties(projectId, { of: ['event', 'person', 'group'] }, viewer)
      return found.done ? found.properties.map(propertyResult) : []
    },
    // a property has no page of its own that a link could lead back to
    find: async () => undefined,
  },
  country: {
    list: async (_, text) =>
      text.length < shortestCountry ? [] : codesNamed('country', text).map(countryResult),
    find: async (_, code) => countryResult(code),
  },
})

/** Shorter texts are part of too many names. */
const shortestCountry = 3

const countryResult = (code: string): SearchResult => ({
  kind: 'country',
  id: code,
  name: valueName('country', code),
  detail: 'Country',
})

interface EntryLists {
  list(projectId: number, viewer: Viewer): Promise<readonly ListedEntry[]>
  find(projectId: number, id: string, viewer: Viewer): Promise<ListedEntry | undefined>
}
type ListedEntry = { id: string; name: string } & Partial<Archivable>

const fromEntries = (kind: SearchKind, entries: EntryLists): SearchSource => ({
  list: async (projectId, _, viewer) =>
    (await entries.list(projectId, viewer)).filter(isLive).map(({ id, name }) => ({ kind, id, name })),
  find: async (projectId, id, viewer) =>
    mapped(await entries.find(projectId, id, viewer), ({ name }) => ({ kind, id, name })),
})

const fromList = (kind: SearchKind, entries: Pick<EntryLists, 'list'>): SearchSource =>
  fromEntries(kind, {
    list: async (projectId, viewer) => await entries.list(projectId, viewer),
    find: async (projectId, id, viewer) =>
      (await entries.list(projectId, viewer)).find((entry) => entry.id === id),
  })

const isLive = ({ archivedAt }: Partial<Archivable>): boolean => !archivedAt

const mapped = <From>(
  found: From | undefined,
  toResult: (found: From) => SearchResult,
): SearchResult | undefined => (found === undefined ? undefined : toResult(found))

const flagResult = ({ key, description }: { key: string; description: string }): SearchResult => ({
  kind: 'flag',
  id: key,
  name: key,
  detail: description.slice(0, 80),
})

const postResult = ({
  id,
  title,
  kind,
}: {
  id: string
  title: string
  kind: 'post' | 'page'
}): SearchResult => ({
  kind: 'post',
  id,
  name: title || 'Untitled',
  detail: kind === 'page' ? 'Page' : undefined,
})

const personResult = ({ id, name, email }: { id: string; name: string; email?: string }): SearchResult => ({
  kind: 'person',
  id,
  name,
  detail: email === name ? undefined : email,
})

const eventResult = (name: string): SearchResult => {
  const label = eventLabel(name)
  return { kind: 'event', id: name, name: label, detail: label === name ? undefined : name }
}

const propertyResult = ({
  key,
  label,
  type,
  group,
}: {
  key: string
  label: string
  type: 'event' | 'person' | 'group' | 'session'
  group?: string
}): SearchResult => ({
  kind: 'property',
  id: key,
  name: label,
  detail: { event: 'Event property', person: 'Person property', session: 'Session property', group }[type],
  property: { type, group },
})

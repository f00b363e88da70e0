import { flagPart } from '#flags/flag-address'
import { testParameter } from '#surveys/links/survey-link'
import { queryText } from '#insights/text/query-text'

export interface AuditFilter {
  action?: string
  actor?: string
  before?: number
}

/** The choice of snippets on the page for connecting. */
export interface ConnectParameters {
  with?: string
  proxy?: string
}

interface LiveListFilter {
  kind?: string
  name?: string
  find?: string
}

/** The persons behind a number that a form is filled in for: the text of the query, and the point as JSON. */
export interface NumberParameters {
  q?: string | undefined
  point?: string | undefined
}

export interface PeopleFilter {
  period?: string
  search?: string
  cohort?: string
  /** As JSON. */
  filter?: string
  sort?: string
  up?: string
  /** Names between commas. */
  columns?: string
  /** The saved list it began with. */
  list?: string
  page?: number
}

/** The filter of a person's events. */
export interface PersonEventsFilter {
  event?: string
  before?: string
  system?: 'shown' | undefined
}

interface GroupsFilter {
  type?: string
  search?: string
  page?: number
}

export interface InsightsFilter {
  search?: string
  folder?: string
  kind?: string
  show?: 'favourites' | 'archived'
}

/** The filter of the catalogue of events and properties. */
export interface CatalogueFilter {
  show?: 'properties' | undefined
  search?: string | undefined
  system?: 'shown' | undefined
}

interface InsightParameters {
  /** Another query in place of the insight's, not saved yet. */
  q?: string
  edit?: 'yes'
  explain?: 'yes'
  /** Counts persons one by one, however many there are. */
  exact?: 'yes'
}

/** A goal that its form is filled in with: a view of a page, or an event. */
type NewGoalParameters = { name: string } & ({ page: string } | { event: string })

/** The query of web analytics, as names and values; a name may come several times. */
export type WebSearch = readonly (readonly [name: string, value: string])[]
export type WebView = 'overview' | 'now' | 'robots' | 'goals' | 'rows'

export interface DashboardParameters {
  period?: string
  compare?: string
  /** As JSON. */
  filter?: string
  /** Minutes between two looks. */
  refresh?: string
  /** The card whose persons are counted one by one, however many there are. */
  exact?: string
  edit?: 'yes'
  /** A press on a chart writes an annotation there. */
  annotate?: string
}

export interface FlagsFilter {
  search?: string
  environment?: string
  state?: 'on' | 'off' | 'stale'
  kind?: string
  tag?: string
  show?: 'archived'
}

interface FlagParameters {
  environment?: string
  /** In its numbers. */
  period?: string
  /** In its code: which client asks. */
  with?: string
}

/** The visitor and context of a flag explanation. */
export interface ExplainParameters {
  environment?: string
  visitor?: string
  device?: string
  /** As JSON. */
  properties?: string
  /** As JSON: keys by type. */
  groups?: string
}

/** The environments that are compared. */
export interface ComparisonParameters {
  left?: string | undefined
  right?: string | undefined
  flag?: string | undefined
  /** Flags that are equal too. */
  show?: 'all' | undefined
}

export interface FlagPeopleFilter {
  environment?: string | undefined
  /** The persons who get a value, if undefined. */
  show?: 'not-served' | 'all' | undefined
  /** A variant's key, or true. */
  value?: string | undefined
  /** The condition set that decided, counted from 1. */
  set?: number | undefined
  page?: number | undefined
}

export type FlagView = 'rules' | 'people' | 'explain' | 'numbers' | 'history' | 'code'

export interface PostsFilter {
  state?: 'draft' | 'scheduled' | 'published' | 'archived'
  search?: string
  tag?: string
}

/** The filter of the library of pictures. */
export interface ImagesFilter {
  search?: string | undefined
  used?: 'yes' | 'no' | undefined
  page?: number | undefined
}

/** The panel beside a post in the editor; without it the preview, or on narrow screens the text itself. */
export type PostPanel = 'preview' | 'settings' | 'headlines' | 'readers'

export interface PostPageParameters {
  panel?: PostPanel
  /** In its readers. */
  period?: string
  /** The goal that the post's readers are attributed to. */
  goal?: string
  by?: 'first' | 'last'
}

export interface SubscribersFilter {
  state?: string | undefined
  search?: string | undefined
  page?: number | undefined
}

/** The subject that a new alert begins with: an insight, or the answers to a question of a survey. */
interface NewAlertParameters extends NumberParameters {
  insight?: string
  survey?: string
  question?: string
  when?: SurveyAlertKind
}

export type SurveyAlertKind = 'response' | 'score' | 'low'

export interface SurveysFilter {
  search?: string
  state?: 'draft' | 'scheduled' | 'running' | 'full' | 'ended'
  placement?: string
  show?: 'archived'
}

type SurveyTab = 'questions' | 'audience' | 'appearance' | 'translations' | 'launch'

export interface SurveyResultsFilter {
  period?: string
  /** As JSON. */
  filter?: string | undefined
  /** Conditions on answers, as JSON. */
  answers?: string | undefined
  /** A part of an answer. */
  search?: string | undefined
  tag?: string | undefined
  /** With those that were sent while testing. */
  tests?: 'yes' | undefined
  /** Lists the responses that were taken out of the results. */
  removed?: 'yes' | undefined
  /** As JSON. */
  breakdown?: string | undefined
}

interface SurveyResponsesFilter extends SurveyResultsFilter {
  cursor?: string | undefined
}

export interface ExperimentsFilter {
  search?: string | undefined
  status?: 'draft' | 'running' | 'ended' | 'archived' | undefined
}

/** The experiments that are read together. */
export interface ExperimentProgrammeFilter {
  period?: string | undefined
  /** The key of a metric that experiments share. */
  metric?: string | undefined
  search?: string | undefined
}

/** The view of an experiment's results. */
export interface ExperimentResultsParameters {
  /** Differences in the metric's own unit, in place of shares of the control. */
  effects?: 'absolute' | undefined
  /** The metric of the drawn course. */
  metric?: string | undefined
}

export interface ExperimentExposuresParameters {
  by?: string | undefined
  /** The id of the metric that counts as conversion. */
  metric?: string | undefined
}

/** Every address of the studio. */
export const paths = {
  studio: '/studio',
  setup: '/studio/setup',
  /** `problem` is why the provider's user did not come in. */
  signIn: (to?: string, problem?: string) => withParameters('/studio/sign-in', { to, problem }),
  oidcStart: (to?: string) => withParameters('/studio/oidc/start', { to }),
  secondStep: (to?: string) => withParameters('/studio/sign-in/step', { to }),
  signOut: '/studio/sign-out',
  forgotPassword: '/studio/forgot',
  resetPassword: '/studio/reset',
  join: '/studio/join',
  account: '/studio/account',
  /** `problem` is why the provider's account was not linked, or did not confirm the member. */
  security: (problem?: string) => withParameters('/studio/account/security', { problem }),
  installation: '/studio/installation',
  newProject: '/studio/projects/new',
  /** Home; where a dashboard was chosen for it, it is looked at as one. */
  project: (slug: string, parameters: DashboardParameters = {}) =>
    withParameters(`/studio/${slug}`, { ...parameters }),
  /** The page that a finding leads to, by its path below that of the project. */
  finding: (slug: string, path: string) => `/studio/${slug}/${path}`,
  connect: (slug: string, parameters: ConnectParameters = {}) =>
    withParameters(`/studio/${slug}/connect`, { ...parameters }),
  connectAgents: (slug: string, parameters: { with?: string } = {}) =>
    withParameters(`/studio/${slug}/connect/agents`, { ...parameters }),
  /** The page of the project's site beside the steps to its first event. */
  firstVisit: (slug: string) => `/studio/${slug}/connect/first-visit`,
  /** The frame of the site on that page; the front answers it. */
  siteFrame: (slug: string) => `/_tilth/site-frame/${slug}`,
  /** The site of a project whose own address does not lead to it. */
  sitePreview: (slug: string) => `/_tilth/site-preview/${slug}`,
  live: (slug: string, filter: LiveListFilter = {}) => withParameters(`/studio/${slug}/live`, { ...filter }),
  /** The stream of the live page; the front answers it. */
  liveStream: (slug: string) => `/_tilth/live/${slug}`,
  people: (slug: string, filter: PeopleFilter = {}) =>
    withParameters(`/studio/${slug}/people`, { ...filter }),
  person: (slug: string, id: string, filter: PersonEventsFilter = {}) =>
    withParameters(`/studio/${slug}/people/${id}`, { ...filter }),
  personExport: (slug: string, id: string) => `/studio/${slug}/people/${id}/export`,
  cohorts: (slug: string) => `/studio/${slug}/people/cohorts`,
  newCohort: (
    slug: string,
    persons: Pick<PeopleFilter, 'period' | 'cohort' | 'filter'> & NumberParameters = {},
  ) => withParameters(`/studio/${slug}/people/cohorts/new`, { ...persons }),
  cohort: (slug: string, id: string, parameters: { page?: number } = {}) =>
    withParameters(`/studio/${slug}/people/cohorts/${id}`, { ...parameters }),
  groups: (slug: string, filter: GroupsFilter = {}) =>
    withParameters(`/studio/${slug}/people/groups`, { ...filter }),
  group: (slug: string, type: string, key: string) =>
    withParameters(`/studio/${slug}/people/group`, { type, key }),
  erasures: (slug: string) => `/studio/${slug}/people/erasures`,
  insights: (slug: string, filter: InsightsFilter = {}) =>
    withParameters(`/studio/${slug}/insights`, { ...filter }),
  /** A query that is not kept yet, as `queryText` writes it; or the usual one of a kind. */
  newInsight: (
    slug: string,
    parameters: { kind?: string; period?: string; q?: string; explain?: 'yes'; exact?: 'yes' } = {},
  ) => withParameters(`/studio/${slug}/insights/new`, parameters),
  insight: (slug: string, id: string, parameters: InsightParameters = {}) =>
    withParameters(`/studio/${slug}/insights/${id}`, { ...parameters }),
  /** The numbers behind an answer, as a file of this name. */
  answerFile: (slug: string, format: 'csv' | 'json', query: object, name?: string) =>
    withParameters(`/studio/${slug}/answer/${format}`, { q: queryText(query), name }),
  /** The persons behind one number of an answer. */
  personsBehind: (slug: string, query: object, point: object, page?: number) =>
    withParameters(`/studio/${slug}/people/behind`, {
      question: queryText(query),
      point: JSON.stringify(point),
      page,
    }),
  /** A statement as its page writes it. */
  sql: (slug: string, parameters: { q?: string } = {}) => withParameters(`/studio/${slug}/sql`, parameters),
  /** The route that the command palette requests. */
  search: (slug: string, parameters: { text?: string; things?: string }) =>
    withParameters(`/studio/${slug}/search`, parameters),
  sqlAnswer: (slug: string) => `/studio/${slug}/sql/answer`,
  /** With `create`, the form of a new one is open. */
  dashboards: (slug: string, parameters: { show?: 'archived'; create?: 'yes' } = {}) =>
    withParameters(`/studio/${slug}/dashboards`, { ...parameters }),
  dashboard: (slug: string, id: string, parameters: DashboardParameters = {}) =>
    withParameters(`/studio/${slug}/dashboards/${id}`, { ...parameters }),
  web: (slug: string, parameters: WebSearch = []) => withPairs(`/studio/${slug}/web`, parameters),
  webView: (slug: string, view: WebView, parameters: WebSearch = []) =>
    withPairs(view === 'overview' ? `/studio/${slug}/web` : `/studio/${slug}/web/${view}`, parameters),
  /** With the form of a new goal, filled in. */
  newGoal: (slug: string, { name, ...goal }: NewGoalParameters) =>
    withParameters(`/studio/${slug}/web/goals`, { new: name, ...goal }),
  alerts: (slug: string) => `/studio/${slug}/alerts`,
  newAlert: (slug: string, parameters: NewAlertParameters = {}) =>
    withParameters(`/studio/${slug}/alerts/new`, { ...parameters }),
  alert: (slug: string, id: string) => `/studio/${slug}/alerts/${id}`,
  reports: (slug: string) => `/studio/${slug}/alerts/reports`,
  newReport: (slug: string, parameters: { dashboard?: string } = {}) =>
    withParameters(`/studio/${slug}/alerts/reports/new`, { ...parameters }),
  report: (slug: string, id: string) => `/studio/${slug}/alerts/reports/${id}`,
  flags: (slug: string, filter: FlagsFilter = {}) => withParameters(`/studio/${slug}/flags`, { ...filter }),
  /** With `key`, the form is filled in with it. */
  newFlag: (slug: string, parameters: { kind?: string; key?: string } & NumberParameters = {}) =>
    withParameters(`/studio/${slug}/flags/new`, { ...parameters }),
  flag: (
    slug: string,
    key: string,
    view: FlagView = 'rules',
    parameters: FlagParameters & ExplainParameters = {},
  ) =>
    withParameters(`/studio/${slug}/flags/${flagPart(key)}${view === 'rules' ? '' : `/${view}`}`, {
      ...parameters,
    }),
  flagPeople: (slug: string, key: string, filter: FlagPeopleFilter = {}) =>
    withParameters(`/studio/${slug}/flags/${flagPart(key)}/people`, { ...filter }),
  explainFlags: (slug: string, parameters: ExplainParameters = {}) =>
    withParameters(`/studio/${slug}/flags/explain`, { ...parameters }),
  environments: (slug: string) => `/studio/${slug}/flags/environments`,
  compareEnvironments: (slug: string, parameters: ComparisonParameters = {}) =>
    withParameters(`/studio/${slug}/flags/environments/compare`, { ...parameters }),
  holdouts: (slug: string) => `/studio/${slug}/flags/holdouts`,
  surveys: (slug: string, filter: SurveysFilter = {}) =>
    withParameters(`/studio/${slug}/surveys`, { ...filter }),
  /** With `page`, the survey is shown at this path only. */
  newSurvey: (slug: string, parameters: { page?: string } & NumberParameters = {}) =>
    withParameters(`/studio/${slug}/surveys/new`, { ...parameters }),
  survey: (slug: string, id: string, tab?: SurveyTab) =>
    withParameters(`/studio/${slug}/surveys/${id}`, { tab: tab === 'questions' ? undefined : tab }),
  surveyShare: (slug: string, id: string) => `/studio/${slug}/surveys/${id}/share`,
  surveyResults: (slug: string, id: string, filter: SurveyResultsFilter = {}) =>
    withParameters(`/studio/${slug}/surveys/${id}/results`, { ...filter }),
  surveyResponses: (slug: string, id: string, filter: SurveyResponsesFilter = {}) =>
    withParameters(`/studio/${slug}/surveys/${id}/responses`, { ...filter }),
  /** A response's id comes from the client that sent it, so it is not a part of the path. */
  surveyResponse: (slug: string, id: string, response: string) =>
    withParameters(`/studio/${slug}/surveys/${id}/response`, { id: response }),
  surveyExport: (
    slug: string,
    id: string,
    format: 'csv' | 'xlsx' | 'json',
    parameters: Omit<SurveyResponsesFilter, 'cursor'> = {},
  ) => withParameters(`/studio/${slug}/surveys/${id}/export/${format}`, { ...parameters }),
  experiments: (slug: string, filter: ExperimentsFilter = {}) =>
    withParameters(`/studio/${slug}/experiments`, { ...filter }),
  experimentProgramme: (slug: string, parameters: ExperimentProgrammeFilter = {}) =>
    withParameters(`/studio/${slug}/experiments/programme`, { ...parameters }),
  /** With `flag`, on this one. */
  savedMetrics: (slug: string) => `/studio/${slug}/experiments/saved-metrics`,
  newExperiment: (slug: string, parameters: { flag?: string; template?: string; step?: string } = {}) =>
    withParameters(`/studio/${slug}/experiments/new`, { ...parameters }),
  /** The results of an experiment. */
  experiment: (slug: string, id: string, parameters: ExperimentResultsParameters = {}) =>
    withParameters(`/studio/${slug}/experiments/${id}`, { ...parameters }),
  experimentExposures: (slug: string, id: string, parameters: ExperimentExposuresParameters = {}) =>
    withParameters(`/studio/${slug}/experiments/${id}/exposures`, { ...parameters }),
  experimentExplore: (
    slug: string,
    id: string,
    parameters: { by?: string; key?: string; metric?: string } = {},
  ) => withParameters(`/studio/${slug}/experiments/${id}/explore`, parameters),
  experimentPlan: (slug: string, id: string) => `/studio/${slug}/experiments/${id}/plan`,
  /** The persons behind a number of its exposures. */
  experimentPeople: (slug: string, id: string, point: object, page?: number) =>
    withParameters(`/studio/${slug}/experiments/${id}/exposures/people`, {
      point: JSON.stringify(point),
      page,
    }),
  experimentFile: (slug: string, id: string, file: 'results' | 'course', format: 'csv' | 'json') =>
    `/studio/${slug}/experiments/${id}/download/${file}/${format}`,
  experimentNotes: (slug: string, id: string) => `/studio/${slug}/experiments/${id}/notes`,
  experimentWeb: (slug: string, id: string) => `/studio/${slug}/experiments/${id}/web`,
  experimentSettings: (slug: string, id: string) => `/studio/${slug}/experiments/${id}/settings`,
  posts: (slug: string, filter: PostsFilter = {}) =>
    withParameters(`/studio/${slug}/site/posts`, { ...filter }),
  pages: (slug: string, filter: PostsFilter = {}) => withParameters(`/studio/${slug}/site`, { ...filter }),
  newPost: (slug: string, parameters: { kind?: 'page' } = {}) =>
    withParameters(`/studio/${slug}/site/posts/new`, { ...parameters }),
  /** A post or a page; one of a folder is named by its file, in as many parts. */
  post: (slug: string, id: string, parameters: PostPageParameters = {}) =>
    withParameters(`/studio/${slug}/site/posts/${partsOf(id)}`, { ...parameters }),
  postHistory: (slug: string, id: string, parameters: { version?: number } = {}) =>
    withParameters(`/studio/${slug}/site/posts/history/${partsOf(id)}`, { ...parameters }),
  comments: (slug: string, parameters: { show?: string | undefined; page?: number } = {}) =>
    withParameters(`/studio/${slug}/site/comments`, { ...parameters }),
  letters: (slug: string) => `/studio/${slug}/site/newsletter`,
  newLetter: (slug: string, parameters: { post?: string; cohort?: string } & NumberParameters = {}) =>
    withParameters(`/studio/${slug}/site/newsletter/new`, { ...parameters }),
  letter: (slug: string, id: string) => `/studio/${slug}/site/newsletter/${id}`,
  subscribers: (slug: string, list: string, filter: SubscribersFilter = {}) =>
    withParameters(`/studio/${slug}/site/newsletter/lists/${encodeURIComponent(list)}`, { ...filter }),
  images: (slug: string, filter: ImagesFilter = {}) =>
    withParameters(`/studio/${slug}/site/posts/images`, { ...filter }),
  authors: (slug: string) => `/studio/${slug}/site/posts/authors`,
  redirects: (slug: string) => `/studio/${slug}/site/design/redirects`,
  siteSettings: (slug: string) => `/studio/${slug}/site/design`,
  /** The route that a browser uploads a picture to. */
  uploads: (slug: string, name: string) => withParameters(`/_tilth/uploads/${slug}`, { name }),
  proposals: (slug: string, state?: string) => withParameters(`/studio/${slug}/agents/proposals`, { state }),
  proposal: (slug: string, id: string) => `/studio/${slug}/agents/proposals/${id}`,
  /** The page of what a proposal changes, by its path below that of the project. */
  proposed: (slug: string, path: string) => `/studio/${slug}/${path}`,
  settings: (slug: string) => `/studio/${slug}/settings`,
  analyticsSettings: (slug: string) => `/studio/${slug}/settings/analytics`,
  catalogue: (slug: string, filter: CatalogueFilter = {}) =>
    withParameters(`/studio/${slug}/settings/events`, { ...filter }),
  collection: (slug: string) => `/studio/${slug}/settings/collection`,
  retention: (slug: string) => `/studio/${slug}/settings/retention`,
  imports: (slug: string) => `/studio/${slug}/settings/import`,
  /** The route that a browser sends files to import to: their list, or the next bytes of one. */
  importFiles: (slug: string, part: { upload?: string; file?: number; at?: number } = {}) =>
    withParameters(`/_tilth/imports/${slug}`, part),
  exports: (slug: string) => `/studio/${slug}/settings/export`,
  exportedTable: (
    slug: string,
    table: string,
    parameters: { format: string; from?: string; until?: string },
  ) => withParameters(`/studio/${slug}/settings/export/${table}`, parameters),
  /** With `invite`, the form of an invitation is open. */
  members: (slug: string, parameters: { invite?: 'yes' } = {}) =>
    withParameters(`/studio/${slug}/settings/members`, { ...parameters }),
  keys: (slug: string) => `/studio/${slug}/settings/keys`,
  agents: (slug: string) => `/studio/${slug}/settings/agents`,
  audit: (slug: string, filter: AuditFilter = {}) =>
    withParameters(`/studio/${slug}/settings/audit`, { ...filter }),
  /** The mail server of the installation. */
  mailServer: (slug: string) => `/studio/${slug}/settings/email`,
  system: (slug: string) => `/studio/${slug}/settings/system`,
}

/** The link of an invitation: the token stands behind "#", which browsers do not send to servers. */
export const invitationLink = (origin: string, token: string) => `${origin}${paths.join}#${token}`

/** The link that people outside get. */
export const shareLink = (origin: string, token: string) => `${origin}/share/${token}`

/** The address of a survey’s page for members who try it. */
export const testLink = (address: string, key: string) => `${address}?${testParameter}=${key}`

export const surveyLink = (origin: string, id: string) => `${origin}/s/${id}`

/** The OpenAPI description of the management API. */
export const apiDescription = '/api/v1/openapi.json'

/** Without dots: an address that ends as a file's name does is looked for among files, and nowhere else. */
const partsOf = (id: string): string =>
  id
    .split('/')
    .map((part) => encodeURIComponent(part.replaceAll('~', '~~').replaceAll('.', '~')))
    .join('/')

/** The id that `partsOf` encoded in an address. */
export const postIdIn = (parts: readonly string[]): string =>
  parts
    .map((part) => decodeURIComponent(part).replaceAll(/~~?/g, (found) => (found === '~' ? '.' : '~')))
    .join('/')

/** Pages beside those of one post, whose id is a number or begins with "file:"; the empty name is the list. */
export const pagesBesidePosts: readonly string[] = ['', 'authors', 'history', 'images', 'new']

function withParameters(path: string, parameters: Record<string, string | number | undefined>): string {
  const params = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(params.map(([name, value]) => [name, String(value)]))
  return search.size > 0 ? `${path}?${search}` : path
}

function withPairs(path: string, pairs: WebSearch): string {
  const search = new URLSearchParams(pairs.map(([name, value]) => [name, value]))
  return search.size > 0 ? `${path}?${search}` : path
}

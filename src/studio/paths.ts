import { flagPart } from '#flags/flag-address'
import { testParameter } from '#surveys/links/survey-link'
import { questionText } from '#insights/text/question-text'

export interface AuditQuestion {
  action?: string
  actor?: string
  before?: number
}

/** The choice of snippets on the page for connecting. */
export interface ConnectQuestion {
  with?: string
  proxy?: string
}

interface LiveQuestion {
  kind?: string
  name?: string
  find?: string
}

export interface PeopleQuestion {
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
export interface PersonQuestion {
  event?: string
  before?: string
}

interface GroupsQuestion {
  type?: string
  search?: string
  page?: number
}

export interface InsightsQuestion {
  search?: string
  folder?: string
  kind?: string
  show?: 'favourites' | 'archived'
}

/** The filter of the catalogue of events and properties. */
export interface CatalogueQuestion {
  show?: 'properties' | undefined
  search?: string | undefined
}

interface InsightQuestion {
  /** Another question in place of the insight's, not saved yet. */
  q?: string
  edit?: 'yes'
  explain?: 'yes'
}

/** The question of web analytics, as names and values; a name may come several times. */
export type WebSearch = readonly (readonly [name: string, value: string])[]
export type WebView = 'overview' | 'now' | 'robots' | 'goals' | 'rows'

export interface DashboardQuestion {
  period?: string
  compare?: string
  /** As JSON. */
  filter?: string
  /** Minutes between two looks. */
  refresh?: string
  edit?: 'yes'
  /** A press on a chart writes an annotation there. */
  annotate?: string
}

export interface FlagsQuestion {
  search?: string
  environment?: string
  state?: 'on' | 'off' | 'stale'
  kind?: string
  tag?: string
  show?: 'archived'
}

interface FlagQuestion {
  environment?: string
  /** In its numbers. */
  period?: string
  /** In its code: which client asks. */
  with?: string
}

/** The visitor and context of a flag explanation. */
export interface ExplainQuestion {
  environment?: string
  visitor?: string
  device?: string
  /** As JSON. */
  properties?: string
  /** As JSON: keys by type. */
  groups?: string
}

/** The environments that are compared. */
export interface ComparisonQuestion {
  left?: string | undefined
  right?: string | undefined
  flag?: string | undefined
  /** Flags that are equal too. */
  show?: 'all' | undefined
}

export interface FlagPeopleQuestion {
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

export interface PostsQuestion {
  state?: 'draft' | 'scheduled' | 'published' | 'archived'
  search?: string
  tag?: string
}

/** The filter of the library of pictures. */
export interface ImagesQuestion {
  search?: string | undefined
  used?: 'yes' | 'no' | undefined
  page?: number | undefined
}

/** The panel beside a post in the editor; without it the preview, or on narrow screens the text itself. */
export type PostPanel = 'preview' | 'settings' | 'headlines' | 'readers'

export interface PostPageQuestion {
  panel?: PostPanel
  /** In its readers. */
  period?: string
  /** The goal that the post's readers are attributed to. */
  goal?: string
  by?: 'first' | 'last'
}

export interface SubscribersQuestion {
  state?: string | undefined
  search?: string | undefined
  page?: number | undefined
}

/** The subject that a new alert begins with: an insight, or the answers to a question of a survey. */
interface NewAlertQuestion {
  insight?: string
  survey?: string
  question?: string
  when?: SurveyAlertKind
}

export type SurveyAlertKind = 'response' | 'score' | 'low'

export interface SurveysQuestion {
  search?: string
  state?: 'draft' | 'scheduled' | 'running' | 'full' | 'ended'
  placement?: string
  show?: 'archived'
}

type SurveyTab = 'questions' | 'audience' | 'appearance' | 'translations' | 'launch'

export interface SurveyResultsQuestion {
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

interface SurveyResponsesQuestion extends SurveyResultsQuestion {
  cursor?: string | undefined
}

export interface ExperimentsQuestion {
  search?: string | undefined
  status?: 'draft' | 'running' | 'ended' | 'archived' | undefined
}

/** The view of an experiment's results. */
export interface ExperimentResultsQuestion {
  /** Differences in the metric's own unit, in place of shares of the control. */
  effects?: 'absolute' | undefined
  /** The metric of the drawn course. */
  metric?: string | undefined
}

export interface ExperimentExposuresQuestion {
  by?: string | undefined
  /** The id of the metric that counts as conversion. */
  metric?: string | undefined
}

/** Every address of the studio. */
export const paths = {
  studio: '/studio',
  setup: '/studio/setup',
  /** `problem` is why the provider's user did not come in. */
  signIn: (to?: string, problem?: string) => withQuestion('/studio/sign-in', { to, problem }),
  oidcStart: (to?: string) => withQuestion('/studio/oidc/start', { to }),
  secondStep: (to?: string) => withQuestion('/studio/sign-in/step', { to }),
  signOut: '/studio/sign-out',
  forgotPassword: '/studio/forgot',
  resetPassword: '/studio/reset',
  join: '/studio/join',
  account: '/studio/account',
  /** `problem` is why the provider's account was not linked, or did not confirm the member. */
  security: (problem?: string) => withQuestion('/studio/account/security', { problem }),
  installation: '/studio/installation',
  newProject: '/studio/projects/new',
  /** Home; where a dashboard was chosen for it, it is looked at as one. */
  project: (slug: string, question: DashboardQuestion = {}) =>
    withQuestion(`/studio/${slug}`, { ...question }),
  connect: (slug: string, question: ConnectQuestion = {}) =>
    withQuestion(`/studio/${slug}/connect`, { ...question }),
  live: (slug: string, question: LiveQuestion = {}) => withQuestion(`/studio/${slug}/live`, { ...question }),
  /** The stream of the live page; the front answers it. */
  liveStream: (slug: string) => `/_tilth/live/${slug}`,
  people: (slug: string, question: PeopleQuestion = {}) =>
    withQuestion(`/studio/${slug}/people`, { ...question }),
  person: (slug: string, id: string, question: PersonQuestion = {}) =>
    withQuestion(`/studio/${slug}/people/${id}`, { ...question }),
  personExport: (slug: string, id: string) => `/studio/${slug}/people/${id}/export`,
  cohorts: (slug: string) => `/studio/${slug}/people/cohorts`,
  newCohort: (slug: string, persons: Pick<PeopleQuestion, 'period' | 'cohort' | 'filter'> = {}) =>
    withQuestion(`/studio/${slug}/people/cohorts/new`, { ...persons }),
  cohort: (slug: string, id: string, question: { page?: number } = {}) =>
    withQuestion(`/studio/${slug}/people/cohorts/${id}`, { ...question }),
  groups: (slug: string, question: GroupsQuestion = {}) =>
    withQuestion(`/studio/${slug}/people/groups`, { ...question }),
  group: (slug: string, type: string, key: string) =>
    withQuestion(`/studio/${slug}/people/group`, { type, key }),
  erasures: (slug: string) => `/studio/${slug}/people/erasures`,
  insights: (slug: string, question: InsightsQuestion = {}) =>
    withQuestion(`/studio/${slug}/insights`, { ...question }),
  /** A question that is not kept yet, as `questionText` writes it; or the usual one of a kind. */
  newInsight: (
    slug: string,
    question: { kind?: string; period?: string; q?: string; explain?: 'yes' } = {},
  ) => withQuestion(`/studio/${slug}/insights/new`, question),
  insight: (slug: string, id: string, question: InsightQuestion = {}) =>
    withQuestion(`/studio/${slug}/insights/${id}`, { ...question }),
  /** The numbers behind an answer, as a file of this name. */
  answerFile: (slug: string, format: 'csv' | 'json', question: object, name?: string) =>
    withQuestion(`/studio/${slug}/answer/${format}`, { q: questionText(question), name }),
  /** The persons behind one number of an answer. */
  personsBehind: (slug: string, question: object, point: object, page?: number) =>
    withQuestion(`/studio/${slug}/people/behind`, {
      question: questionText(question),
      point: JSON.stringify(point),
      page,
    }),
  /** A statement as its page writes it. */
  sql: (slug: string, question: { q?: string } = {}) => withQuestion(`/studio/${slug}/sql`, question),
  /** The route that the command palette requests. */
  search: (slug: string, question: { text?: string; things?: string }) =>
    withQuestion(`/studio/${slug}/search`, question),
  sqlAnswer: (slug: string) => `/studio/${slug}/sql/answer`,
  /** With `create`, the form of a new one is open. */
  dashboards: (slug: string, question: { show?: 'archived'; create?: 'yes' } = {}) =>
    withQuestion(`/studio/${slug}/dashboards`, { ...question }),
  dashboard: (slug: string, id: string, question: DashboardQuestion = {}) =>
    withQuestion(`/studio/${slug}/dashboards/${id}`, { ...question }),
  web: (slug: string, question: WebSearch = []) => withPairs(`/studio/${slug}/web`, question),
  webView: (slug: string, view: WebView, question: WebSearch = []) =>
    withPairs(view === 'overview' ? `/studio/${slug}/web` : `/studio/${slug}/web/${view}`, question),
  alerts: (slug: string) => `/studio/${slug}/alerts`,
  newAlert: (slug: string, question: NewAlertQuestion = {}) =>
    withQuestion(`/studio/${slug}/alerts/new`, { ...question }),
  alert: (slug: string, id: string) => `/studio/${slug}/alerts/${id}`,
  reports: (slug: string) => `/studio/${slug}/alerts/reports`,
  newReport: (slug: string, question: { dashboard?: string } = {}) =>
    withQuestion(`/studio/${slug}/alerts/reports/new`, { ...question }),
  report: (slug: string, id: string) => `/studio/${slug}/alerts/reports/${id}`,
  flags: (slug: string, question: FlagsQuestion = {}) =>
    withQuestion(`/studio/${slug}/flags`, { ...question }),
  newFlag: (slug: string, question: { kind?: string } = {}) =>
    withQuestion(`/studio/${slug}/flags/new`, { ...question }),
  flag: (
    slug: string,
    key: string,
    view: FlagView = 'rules',
    question: FlagQuestion & ExplainQuestion = {},
  ) =>
    withQuestion(`/studio/${slug}/flags/${flagPart(key)}${view === 'rules' ? '' : `/${view}`}`, {
      ...question,
    }),
  flagPeople: (slug: string, key: string, question: FlagPeopleQuestion = {}) =>
    withQuestion(`/studio/${slug}/flags/${flagPart(key)}/people`, { ...question }),
  explainFlags: (slug: string, question: ExplainQuestion = {}) =>
    withQuestion(`/studio/${slug}/flags/explain`, { ...question }),
  environments: (slug: string) => `/studio/${slug}/flags/environments`,
  compareEnvironments: (slug: string, question: ComparisonQuestion = {}) =>
    withQuestion(`/studio/${slug}/flags/environments/compare`, { ...question }),
  holdouts: (slug: string) => `/studio/${slug}/flags/holdouts`,
  surveys: (slug: string, question: SurveysQuestion = {}) =>
    withQuestion(`/studio/${slug}/surveys`, { ...question }),
  newSurvey: (slug: string) => `/studio/${slug}/surveys/new`,
  survey: (slug: string, id: string, tab?: SurveyTab) =>
    withQuestion(`/studio/${slug}/surveys/${id}`, { tab: tab === 'questions' ? undefined : tab }),
  surveyShare: (slug: string, id: string) => `/studio/${slug}/surveys/${id}/share`,
  surveyResults: (slug: string, id: string, question: SurveyResultsQuestion = {}) =>
    withQuestion(`/studio/${slug}/surveys/${id}/results`, { ...question }),
  surveyResponses: (slug: string, id: string, question: SurveyResponsesQuestion = {}) =>
    withQuestion(`/studio/${slug}/surveys/${id}/responses`, { ...question }),
  /** A response's id comes from the client that sent it, so it is not a part of the path. */
  surveyResponse: (slug: string, id: string, response: string) =>
    withQuestion(`/studio/${slug}/surveys/${id}/response`, { id: response }),
  surveyExport: (
    slug: string,
    id: string,
    format: 'csv' | 'xlsx' | 'json',
    question: Omit<SurveyResponsesQuestion, 'cursor'> = {},
  ) => withQuestion(`/studio/${slug}/surveys/${id}/export/${format}`, { ...question }),
  experiments: (slug: string, question: ExperimentsQuestion = {}) =>
    withQuestion(`/studio/${slug}/experiments`, { ...question }),
  /** With `flag`, on this one. */
  savedMetrics: (slug: string) => `/studio/${slug}/experiments/saved-metrics`,
  newExperiment: (slug: string, question: { flag?: string; template?: string } = {}) =>
    withQuestion(`/studio/${slug}/experiments/new`, { ...question }),
  /** The results of an experiment. */
  experiment: (slug: string, id: string, question: ExperimentResultsQuestion = {}) =>
    withQuestion(`/studio/${slug}/experiments/${id}`, { ...question }),
  experimentExposures: (slug: string, id: string, question: ExperimentExposuresQuestion = {}) =>
    withQuestion(`/studio/${slug}/experiments/${id}/exposures`, { ...question }),
  experimentExplore: (
    slug: string,
    id: string,
    question: { by?: string; key?: string; metric?: string } = {},
  ) => withQuestion(`/studio/${slug}/experiments/${id}/explore`, question),
  experimentPlan: (slug: string, id: string) => `/studio/${slug}/experiments/${id}/plan`,
  /** The persons behind a number of its exposures. */
  experimentPeople: (slug: string, id: string, point: object, page?: number) =>
    withQuestion(`/studio/${slug}/experiments/${id}/exposures/people`, {
      point: JSON.stringify(point),
      page,
    }),
  experimentNotes: (slug: string, id: string) => `/studio/${slug}/experiments/${id}/notes`,
  experimentWeb: (slug: string, id: string) => `/studio/${slug}/experiments/${id}/web`,
  experimentSettings: (slug: string, id: string) => `/studio/${slug}/experiments/${id}/settings`,
  posts: (slug: string, question: PostsQuestion = {}) =>
    withQuestion(`/studio/${slug}/posts`, { ...question }),
  pages: (slug: string, question: PostsQuestion = {}) =>
    withQuestion(`/studio/${slug}/posts/pages`, { ...question }),
  newPost: (slug: string, question: { kind?: 'page' } = {}) =>
    withQuestion(`/studio/${slug}/posts/new`, { ...question }),
  /** A post or a page; one of a folder is named by its file, in as many parts. */
  post: (slug: string, id: string, question: PostPageQuestion = {}) =>
    withQuestion(`/studio/${slug}/posts/${partsOf(id)}`, { ...question }),
  postHistory: (slug: string, id: string, question: { version?: number } = {}) =>
    withQuestion(`/studio/${slug}/posts/history/${partsOf(id)}`, { ...question }),
  comments: (slug: string, question: { show?: string | undefined; page?: number } = {}) =>
    withQuestion(`/studio/${slug}/posts/comments`, { ...question }),
  letters: (slug: string) => `/studio/${slug}/posts/letters`,
  newLetter: (slug: string, question: { post?: string } = {}) =>
    withQuestion(`/studio/${slug}/posts/letters/new`, { ...question }),
  letter: (slug: string, id: string) => `/studio/${slug}/posts/letters/${id}`,
  subscribers: (slug: string, list: string, question: SubscribersQuestion = {}) =>
    withQuestion(`/studio/${slug}/posts/letters/lists/${encodeURIComponent(list)}`, { ...question }),
  images: (slug: string, question: ImagesQuestion = {}) =>
    withQuestion(`/studio/${slug}/posts/images`, { ...question }),
  authors: (slug: string) => `/studio/${slug}/posts/authors`,
  redirects: (slug: string) => `/studio/${slug}/posts/redirects`,
  siteSettings: (slug: string) => `/studio/${slug}/posts/site`,
  /** The route that a browser uploads a picture to. */
  uploads: (slug: string, name: string) => withQuestion(`/_tilth/uploads/${slug}`, { name }),
  settings: (slug: string) => `/studio/${slug}/settings`,
  analyticsSettings: (slug: string) => `/studio/${slug}/settings/analytics`,
  catalogue: (slug: string, question: CatalogueQuestion = {}) =>
    withQuestion(`/studio/${slug}/settings/events`, { ...question }),
  collection: (slug: string) => `/studio/${slug}/settings/collection`,
  retention: (slug: string) => `/studio/${slug}/settings/retention`,
  imports: (slug: string) => `/studio/${slug}/settings/import`,
  /** The route that a browser sends files to import to: their list, or the next bytes of one. */
  importFiles: (slug: string, part: { upload?: string; file?: number; at?: number } = {}) =>
    withQuestion(`/_tilth/imports/${slug}`, part),
  exports: (slug: string) => `/studio/${slug}/settings/export`,
  exportedTable: (slug: string, table: string, question: { format: string; from?: string; until?: string }) =>
    withQuestion(`/studio/${slug}/settings/export/${table}`, question),
  /** With `invite`, the form of an invitation is open. */
  members: (slug: string, question: { invite?: 'yes' } = {}) =>
    withQuestion(`/studio/${slug}/settings/members`, { ...question }),
  keys: (slug: string) => `/studio/${slug}/settings/keys`,
  audit: (slug: string, question: AuditQuestion = {}) =>
    withQuestion(`/studio/${slug}/settings/audit`, { ...question }),
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
export const pagesBesidePosts: readonly string[] = [
  '',
  'authors',
  'comments',
  'history',
  'images',
  'letters',
  'new',
  'pages',
  'redirects',
  'site',
]

function withQuestion(path: string, question: Record<string, string | number | undefined>): string {
  const params = Object.entries(question).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(params.map(([name, value]) => [name, String(value)]))
  return search.size > 0 ? `${path}?${search}` : path
}

function withPairs(path: string, pairs: WebSearch): string {
  const search = new URLSearchParams(pairs.map(([name, value]) => [name, value]))
  return search.size > 0 ? `${path}?${search}` : path
}

/** A folder below `src/studio`. */
export interface Feature {
  /** The features that it may import, types included. */
  imports: readonly string[]
  /** The files that other features and the pages of shares may import. */
  shows: readonly string[]
  knows: string
}

/**
 * The features of the studio, from the ground up: each imports only features above it. Files beside the folders, such as
 * `studio/paths.ts`, are for all. `ARCHITECTURE.md` prints this table and `studio-features.test.ts` holds the files to it.
 */
export const studioFeatures: Readonly<Record<string, Feature>> = {
  parts: {
    imports: [],
    shows: [
      'AnswerAge',
      'MarginNote',
      'Change',
      'ChangeForm',
      'ChangeDialog',
      'ChangedMeanwhile',
      'EmailInput',
      'EntryMenu',
      'ExperimentStatusBadge',
      'FindingList',
      'LeavingGuard',
      'LiveCount',
      'NamedValue',
      'NotAllowed',
      'PersonName',
      'RelativeTime',
      'SaveBar',
      'SearchBox',
      'Section',
      'SiteAddressField',
      'SystemEventsLink',
      'TimeZoneField',
      'Versions',
      'action-result',
      'archive-entry',
      'download',
      'draft-fields',
      'file-response',
      'form-data',
      'lazy-panel',
      'open-project',
      'period-keys',
      'refusals',
      'roles',
      'use-address',
      'use-debounced-callback',
      'use-versioned-draft',
      'with-network-errors',
    ],
    knows: 'what pages of all features are made of: changes, refusals, drafts, confirmations',
  },
  numbers: {
    imports: ['parts'],
    shows: [
      'NumberAudience',
      'NumberMenu',
      'NumberProblem',
      'match-text',
      'number-actions',
      'number-cohort',
      'people-of-number',
    ],
    knows: 'what can be done with the people behind a number',
  },
  filters: {
    imports: ['parts'],
    shows: ['ConditionRow', 'FilterEditor', 'draft', 'use-suggestions'],
    knows: 'conditions on properties, as they are edited',
  },
  recipients: {
    imports: ['parts'],
    shows: ['DeliveriesTable', 'NoMailServer', 'RecipientFields', 'project-members', 'recipients'],
    knows: 'who is sent a message, and what became of it',
  },
  'card-placement': {
    imports: ['parts'],
    shows: ['AddToDashboard', 'insight-card', 'place-card'],
    knows: 'how a thing is put onto a dashboard',
  },
  shares: {
    imports: ['parts'],
    shows: ['SubjectShareButton'],
    knows: 'who may see a thing without an account',
  },
  annotations: {
    imports: ['parts'],
    shows: ['AnnotationFromAddress', 'AnnotationsPopover'],
    knows: 'notes on the days of a chart',
  },
  live: {
    imports: ['parts'],
    shows: [
      'LiveState',
      'client-names',
      'feed',
      'live-event-explanations',
      'live-event-labels',
      'person-labels',
      'use-live-stream',
      'use-person-labels',
    ],
    knows: 'events as they arrive',
  },
  insights: {
    imports: ['parts', 'filters', 'card-placement', 'shares'],
    shows: [
      'AnswerPanel',
      'ask',
      'chart-settings',
      'chart/InsightChart',
      'form/EventMatcherFields',
      'form/InsightForm',
      'form/MeasureFields',
      'form/PeriodPicker',
      'form/Reorderable',
      'form/pickers',
      'kinds',
      'kinds/sql/Chart',
      'kinds/sql/chart-type',
      'kinds/sql/sql-language',
      'pickers',
      'saving-choices',
      'starting-query',
    ],
    knows: 'queries: their forms, charts and saved answers',
  },
  connect: {
    imports: ['parts', 'live', 'insights'],
    shows: ['LazyPanels', 'address', 'flags-head', 'libraries', 'snippet', 'still-waiting'],
    knows: 'how a site begins to send events',
  },
  installation: { imports: ['parts'], shows: ['RequireSecondFactor'], knows: 'the settings of this Tilth' },
  settings: {
    imports: ['parts', 'filters', 'installation'],
    shows: ['pages', 'use-restore'],
    knows: 'the settings of a project',
  },
  shell: {
    imports: ['parts', 'numbers', 'connect', 'settings'],
    shows: ['Brand', 'Commands', 'SignOutButton', 'StudioProviders', 'last-project', 'theme'],
    knows: 'what surrounds every page: navigation, commands, failures',
  },
  'sign-in': {
    imports: ['parts', 'connect', 'shell'],
    shows: ['AccessForm', 'AccessPage', 'NewPassword', 'passkey-host'],
    knows: 'the ways in and out',
  },
  account: { imports: ['parts', 'shell', 'sign-in'], shows: [], knows: 'the settings of a member' },
  projects: { imports: ['parts'], shows: [], knows: 'how a project begins' },
  people: {
    imports: ['parts', 'numbers', 'filters', 'insights'],
    shows: ['PersonsTable', 'list-filter'],
    knows: 'persons, groups and cohorts',
  },
  proposals: {
    imports: ['parts'],
    shows: ['ProposalNotices'],
    knows: 'changes that assistants propose, and the decision on them',
  },
  flags: {
    imports: ['parts', 'numbers', 'filters', 'connect', 'insights', 'people', 'proposals'],
    shows: [
      'VariantBar',
      'VariantName',
      'editor/draft',
      'planning/GuardProgress',
      'planning/PauseButton',
      'variant-colour',
    ],
    knows: 'flags: their rules, plans and decisions',
  },
  posts: {
    imports: ['parts', 'numbers', 'recipients'],
    shows: ['editor/PictureField'],
    knows: 'what the site publishes, and its letters',
  },
  surveys: {
    imports: [
      'parts',
      'numbers',
      'filters',
      'recipients',
      'card-placement',
      'connect',
      'insights',
      'people',
      'posts',
    ],
    shows: ['results/MarketFitScore', 'results/RatingResult', 'results/alert-drafts'],
    knows: 'surveys: how they are built and what was answered',
  },
  alerts: {
    imports: ['parts', 'numbers', 'recipients', 'insights', 'surveys'],
    shows: [],
    knows: 'alerts and reports',
  },
  experiments: {
    imports: ['parts', 'recipients', 'card-placement', 'shares', 'insights', 'people', 'flags', 'proposals'],
    shows: [
      'results/Course',
      'results/EffectInterval',
      'results/MetricTable',
      'results/PrintReport',
      'results/ResultAge',
      'results/Units',
      'results/date-words',
      'results/effects',
      'results/verdict-tones',
    ],
    knows: 'experiments: their plans, metrics and results',
  },
  dashboards: {
    imports: ['parts', 'filters', 'shares', 'annotations', 'insights', 'flags', 'surveys', 'experiments'],
    shows: ['DashboardCardView', 'DashboardPage'],
    knows: 'cards on a page, and how they are arranged',
  },
  home: {
    imports: ['parts', 'connect', 'shell', 'sign-in', 'insights', 'dashboards'],
    shows: [],
    knows: 'the first page of a project',
  },
  sql: { imports: ['parts', 'insights'], shows: [], knows: 'the workbench for statements' },
  web: { imports: ['parts', 'numbers', 'filters', 'shares', 'insights'], shows: [], knows: 'web analytics' },
  pictures: {
    imports: ['insights', 'flags', 'experiments'],
    shows: ['picture', 'picture-program'],
    knows: 'an answer as it is drawn for an assistant',
  },
  'shared-pages': {
    imports: ['parts', 'sign-in', 'insights', 'flags', 'experiments'],
    shows: ['SharedPeriod', 'SharedReport', 'Unlock', 'proof-cookie'],
    knows: 'a shared thing, as a visitor without an account sees it',
  },
}

/** The table between the markers in ARCHITECTURE.md. */
export function printedFeatures(): string {
  const rows = Object.entries(studioFeatures).map(
    ([name, { knows, imports, shows }]) =>
      `| ${name} | ${knows} | ${imports.join(', ') || 'nothing'} | ${shows.join(', ') || 'nothing'} |`,
  )
  return ['| feature | knows | may import | shows to others |', '|---|---|---|---|', ...rows].join('\n')
}

/**
 * Parts of PostHog's API that Tilth does not have, by the word in their addresses: the rest of the sentence "Tilth has
 * no …", with what to use in their place.
 */
const absentParts: Readonly<Record<string, string>> = {
  hooks:
    'hooks for single events: an alert calls a webhook for a number, and a survey calls one for each answer.',
  hog_functions: 'functions that run on events. An alert or a survey calls a webhook.',
  alerts: 'alerts in PostHog’s form. Set them up at /api/v1/projects/{project}/alerts.',
  access_controls: 'access by entry: a member’s role and a key’s scopes decide.',
  resource_access_controls: 'access by entry: a member’s role and a key’s scopes decide.',
  roles: 'roles of your own: a member is owner, admin, editor or viewer.',
  proxy_records: 'managed proxies: events are sent to your own address.',
  external_data_sources: 'external data sources.',
  batch_exports: 'batch exports. See /api/v1/projects/{project}/exports.',
  session_recordings: 'session recordings.',
  error_tracking: 'error tracking.',
  max_tools: 'assistant that writes queries. Send a HogQLQuery to …/query.',
  notebooks: 'notebooks.',
  early_access_feature: 'list of early access features here. Their flags have them.',
  warehouse_saved_queries: 'data warehouse.',
  warehouse_tables: 'data warehouse.',
  subscriptions: 'subscriptions in PostHog’s form. Reports are set up at /api/v1/projects/{project}/reports.',
  experiment_holdouts: 'holdouts in PostHog’s form. Flags have them.',
  experiment_saved_metrics: 'shared metrics in PostHog’s form.',
}

/** The sentence for an address of such a part; undefined for one that PostHog does not have either. */
export function absentAt(path: string): string | undefined {
  const named = path.split('/').find((part) => Object.hasOwn(absentParts, part))
  return named === undefined ? undefined : absentParts[named]
}

/**
 * Parts of Umami's API that Tilth does not have, by a pattern of their addresses: the rest of the sentence "Tilth has no
 * …", with what to use in their place.
 */
const absentParts: readonly (readonly [RegExp, string])[] = [
  [/^\/(?:links|pixels)(?:\/|$)/, 'links and pixels.'],
  [/^\/boards(?:\/|$)/, 'boards in Umami’s form. Dashboards are made in the studio.'],
  [
    /^\/(?:share|websites\/[^/]+\/shares)(?:\/|$)/,
    'shares in Umami’s form. Share an insight or a dashboard in the studio.',
  ],
  [/^\/teams(?:\/|$)/, 'teams: members belong to a project.'],
  [/^\/(?:admin|users)(?:\/|$)/, 'users in Umami’s form. Members are invited in the studio.'],
  [/^\/me\/password/, 'change of a password by Umami’s API.'],
  [/^\/websites\/charts$/, 'charts of several websites at once: a key belongs to one. Ask /pageviews.'],
  [
    /^\/websites\/[^/]+\/(?:goals|funnels|annotations)(?:\/|$)/,
    'saved goals, funnels and annotations in Umami’s form. Those of the studio are read by Tilth’s own API.',
  ],
  [/^\/websites\/[^/]+\/heatmaps/, 'heatmaps.'],
  [/^\/websites\/[^/]+\/(?:reset|transfer)/, 'resetting or transferring of websites by Umami’s API.'],
  [/^\/websites\/[^/]+\/export/, 'export in Umami’s form. See /api/v1/projects/{project}/exports.'],
  [/^\/websites\/[^/]+\/segments/, 'segments in Umami’s form. Those of the studio are its own.'],
  [/\/replays(?:\/|$)/, 'session replays.'],
  [/^\/websites\/[^/]+\/revenue\/sessions/, 'list of sessions with revenue in Umami’s form.'],
  [
    /^\/reports\/journey/,
    'journeys as whole sequences: its paths are nodes and links. Ask the kind "paths" by Tilth’s own API.',
  ],
  [
    /^\/reports\/attribution/,
    'attribution in Umami’s form. Ask /metrics for type=channel with a filter by event.',
  ],
  [
    /^\/reports\/(?:insights|breakdown)/,
    'breakdowns by several fields with visits and time. Ask /metrics/expanded for one of them.',
  ],
  [
    /^\/reports\/performance/,
    'performance reports in Umami’s form. Ask the kind "vitals" by Tilth’s own API.',
  ],
  [
    /^\/(?:reports|websites\/[^/]+\/reports)(?:\/|$)/,
    'saved reports in Umami’s form. Insights are saved in the studio.',
  ],
  [
    /^\/websites\/[^/]+\/(?:event-data|session-data|event-data-pivot|session-data-pivot)(?:\/|$)/,
    'counts of all values of all properties at once. Ask /event-data/values for one property.',
  ],
]

/** The sentence for an address of such a part; undefined for one that Umami does not have either. */
export const absentAt = (path: string): string | undefined =>
  absentParts.find(([pattern]) => pattern.test(path))?.[1]

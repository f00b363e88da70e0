/** What the audit log is narrowed to. */
export interface AuditQuestion {
  action?: string
  actor?: string
  before?: number
}

/** Which snippets the page for connecting shows. */
export interface ConnectQuestion {
  with?: string
  proxy?: string
}

/** What the live page is narrowed to. */
export interface LiveQuestion {
  kind?: string
  name?: string
  find?: string
}

/** Every address of the studio. */
export const paths = {
  studio: '/studio',
  setup: '/studio/setup',
  signIn: (to?: string) => withQuestion('/studio/sign-in', { to }),
  signOut: '/studio/sign-out',
  join: '/studio/join',
  account: '/studio/account',
  newProject: '/studio/projects/new',
  project: (slug: string) => `/studio/${slug}`,
  room: (slug: string, room: string) => `/studio/${slug}/${room}`,
  connect: (slug: string, question: ConnectQuestion = {}) =>
    withQuestion(`/studio/${slug}/connect`, { ...question }),
  live: (slug: string, question: LiveQuestion = {}) => withQuestion(`/studio/${slug}/live`, { ...question }),
  /** What the live page listens to; the front answers it. */
  liveStream: (slug: string) => `/_tilth/live/${slug}`,
  settings: (slug: string) => `/studio/${slug}/settings`,
  collection: (slug: string) => `/studio/${slug}/settings/collection`,
  members: (slug: string) => `/studio/${slug}/settings/members`,
  keys: (slug: string) => `/studio/${slug}/settings/keys`,
  audit: (slug: string, question: AuditQuestion = {}) =>
    withQuestion(`/studio/${slug}/settings/audit`, { ...question }),
  system: (slug: string) => `/studio/${slug}/settings/system`,
}

/** Where an invitation leads: the token stands behind "#", which browsers keep to themselves. */
export const invitationLink = (origin: string, token: string) => `${origin}${paths.join}#${token}`

/** What the management API says about itself. */
export const apiDescription = '/api/v1/openapi.json'

function withQuestion(path: string, question: Record<string, string | number | undefined>): string {
  const asked = Object.entries(question).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(asked.map(([name, value]) => [name, String(value)]))
  return search.size > 0 ? `${path}?${search}` : path
}

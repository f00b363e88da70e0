import { isRole, type Role } from './access'

/** An identity provider, as configured by TILTH_OIDC_…. */
export interface OidcSettings {
  issuer: string
  clientId: string
  clientSecret: string
  /** The name on the button: "Sign in with ‹name›". */
  name: string
  /** Allowed domains of email addresses; all if empty. */
  domains: readonly string[]
  /** Whether sign-in creates an account for a user without one. */
  mayJoin: boolean
  /** Whether it is the only way to sign in. */
  isRequired: boolean
  /** The claim with the user's groups. */
  groupsClaim: string
  groupRoles: readonly GroupRole[]
}

/** The role of a group's members in a project. */
interface GroupRole {
  group: string
  /** The slug of the project. */
  project: string
  role: Role
}

/** Parses "admins=acme:admin, staff=acme:viewer"; undefined if any part is malformed. */
export function readGroupRoles(text: string): GroupRole[] | undefined {
  const parts = text.split(',').map((part) => part.trim())
  const read = parts.filter(Boolean).map((part) => {
    const [, group, project, role] = /^([^=]{1,200})=([a-z0-9-]+):([a-z]+)$/.exec(part) ?? []
    return group && project && isRole(role) ? { group: group.trim(), project, role } : undefined
  })
  const fit = read.filter((one) => one !== undefined)
  return fit.length > 0 && fit.length === read.length ? fit : undefined
}

/** A provider's address must use https; plain http is allowed only for this machine. */
export function readIssuer(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || url.username || url.password || url.search || url.hash) return undefined
  if (url.protocol === 'https:') return text
  return url.protocol === 'http:' && isThisMachine(url) ? text : undefined
}

export const isThisMachine = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname)

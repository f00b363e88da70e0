import { isRight, type Right, type Role } from '#projects/access'

/** The spec: which roles hold which right. The compiler asks for a line for every right. */
export const holders: Record<Right, readonly Role[]> = {
  'project:read': ['owner', 'admin', 'editor', 'viewer'],
  'project:write': ['owner', 'admin'],
  'project:archive': ['owner'],
  'members:read': ['owner', 'admin', 'editor', 'viewer'],
  'members:write': ['owner', 'admin'],
  'owners:write': ['owner'],
  'keys:read': ['owner', 'admin'],
  'keys:write': ['owner', 'admin'],
  'events:read': ['owner', 'admin', 'editor', 'viewer'],
  'insights:write': ['owner', 'admin', 'editor'],
  'flags:write': ['owner', 'admin', 'editor'],
  'experiments:read': ['owner', 'admin', 'editor', 'viewer'],
  'experiments:write': ['owner', 'admin', 'editor'],
  'surveys:read': ['owner', 'admin', 'editor', 'viewer'],
  'surveys:write': ['owner', 'admin', 'editor'],
  'posts:write': ['owner', 'admin', 'editor'],
  'letters:read': ['owner', 'admin', 'editor', 'viewer'],
  'letters:write': ['owner', 'admin', 'editor'],
  'subscribers:write': ['owner', 'admin'],
  'site:write': ['owner', 'admin'],
  'persons:write': ['owner', 'admin'],
  'shares:write': ['owner', 'admin', 'editor'],
  'alerts:write': ['owner', 'admin', 'editor'],
  'proposals:write': ['owner', 'admin', 'editor'],
  'sql:read': ['owner', 'admin', 'editor'],
  'audit:read': ['owner', 'admin'],
}

export const whatAViewerMay = Object.keys(holders)
  .filter(isRight)
  .filter((right) => holders[right].includes('viewer'))

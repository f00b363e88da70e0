import type { Role } from '#projects/access'

/** The meaning of each role for the person who gets it. */
export const roleDescriptions: Record<Role, string> = {
  owner: 'Owners can do everything, including adding owners.',
  admin: 'Admins manage settings, members and keys.',
  editor: 'Editors create and change everything except settings.',
  viewer: 'Viewers can see everything and change nothing.',
}

export const roleLabels: Record<Role, string> = {
  owner: 'Owner',
  admin: 'Admin',
  editor: 'Editor',
  viewer: 'Viewer',
}

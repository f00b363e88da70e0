/** The reasons of failed sign-ins through a provider, as pages show them. Addresses contain only the key. */
export const oidcRefusals = {
  expired: () => 'This sign-in took too long, or was not begun in this browser. Try again.',
  unreachable: (name) => `${name} cannot be reached just now. The log says why.`,
  unconfirmed: (name) => `${name} did not confirm who you are. Try again; the log says why.`,
  'not-asked-again': (name) =>
    `${name} let you through without asking you to sign in again. Sign out there, then try again.`,
  'no-address': (name) => `Your account at ${name} has no verified e-mail address that may come in here.`,
  'bad-address': (name) => `${name} sent an e-mail address that is not valid.`,
  'address-taken': (name) =>
    `A member has your e-mail address already. Sign in with the password, then link ${name} under Account → Security.`,
  'no-member': () => 'You are not a member of this Tilth yet. Ask an owner for an invitation.',
  'session-ended': () => 'Your session has ended. Sign in, then try again.',
  'other-address': (name) => `${name} has not verified the e-mail address that you use here.`,
  'other-member': (name) => `This account at ${name} is linked to another member.`,
  'not-linked': (name) => `This account at ${name} is not linked to you.`,
} satisfies Record<string, (name: string) => string>

export type OidcRefusal = keyof typeof oidcRefusals

/** Returns the message for a key in an address; undefined for anything else. */
export function oidcRefusalWords(key: unknown, name: string): string | undefined {
  return typeof key === 'string' && Object.hasOwn(oidcRefusals, key)
    ? oidcRefusals[key as OidcRefusal](name) // a key of the table
    : undefined
}

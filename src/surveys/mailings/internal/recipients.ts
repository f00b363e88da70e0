import { z } from 'zod'

/** A recipient of letters. */
export interface LetterRecipient {
  address: string
  distinctId: string | undefined
}

export const mailingLimits = { recipients: 5000 } as const

const address = z.email().max(254)

/** Reads addresses that were pasted: one a line, or separated by commas or semicolons, with or without names. */
export function addressesIn(text: string): { recipients: LetterRecipient[]; unreadable: string[] } {
  const recipients = new Map<string, LetterRecipient>()
  const unreadable: string[] = []
  for (const entry of text.split(/[\n,;]+/).map((one) => one.trim())) {
    if (entry === '') continue
    const found = (/<([^<>]+)>$/.exec(entry)?.[1] ?? entry).trim().toLowerCase()
    if (address.safeParse(found).success) recipients.set(found, { address: found, distinctId: undefined })
    else unreadable.push(entry)
  }
  return { recipients: [...recipients.values()], unreadable }
}

/** Each address once; one with a person is preferred. */
export function uniqueRecipients(all: readonly LetterRecipient[]): LetterRecipient[] {
  const byAddress = new Map<string, LetterRecipient>()
  for (const one of all) {
    const known = byAddress.get(one.address)
    byAddress.set(one.address, known?.distinctId === undefined ? one : known)
  }
  return [...byAddress.values()]
}

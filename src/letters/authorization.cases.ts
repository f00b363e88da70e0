import { expect } from 'vitest'
import { operator } from '#projects/access'
import { present, requireDone } from '#test/product/fixture'
import type { AuditedCall } from '#test/product/authorization/audited-call'

export const letterCalls: Record<string, AuditedCall> = {
  'letters.list': {
    right: 'letters:read',
    does: ({ product, acme }, viewer) => product.letters.list(acme.id, viewer),
  },
  'letters.find': {
    right: 'letters:read',
    does: ({ product, acme }, viewer) => product.letters.find(acme.id, 'unknown', viewer),
  },
  'letters.preview': {
    right: 'letters:write',
    does: async ({ product, acme }, viewer) => void (await product.letters.preview(acme.id, aLetter, viewer)),
  },
  'letters.test': {
    right: 'letters:write',
    // without a mail server nothing is sent
    does: async ({ product, acme }, viewer) => void (await product.letters.test(acme.id, aLetter, viewer)),
  },
  'letters.send': {
    right: 'letters:write',
    does: async ({ product, acme }, viewer) => void (await product.letters.send(acme.id, aLetter, viewer)),
  },
  'letters.cancel': {
    right: 'letters:write',
    does: async ({ product, acme }, viewer) =>
      void (await product.letters.cancel(acme.id, 'unknown', viewer)),
  },
  'letters.recipientsOf': {
    right: 'letters:write',
    does: ({ product, acme }, viewer) =>
      product.letters.recipientsOf({ projectId: acme.id, list: 'newsletter', cohort: undefined }, viewer),
  },
  'letters.replies.takeBounce': {
    right: 'letters:write',
    does: async ({ product, acme }, viewer) =>
      void (await product.letters.replies.takeBounce(acme.id, { message: 'Hello' }, viewer)),
  },
  'letters.subscriptions.lists': {
    right: 'letters:read',
    does: ({ product, acme }, viewer) => product.letters.subscriptions.lists(acme.id, viewer),
  },
  'letters.subscriptions.createList': {
    right: 'letters:write',
    does: ({ product, acme }, viewer) =>
      product.letters.subscriptions.createList(acme.id, { key: 'weekly', name: 'Weekly' }, viewer),
    action: 'letter-list.create',
    writes: () => ({ subject: 'Weekly' }),
  },
  'letters.subscriptions.changeList': {
    right: 'letters:write',
    does: ({ product, acme }, viewer) =>
      product.letters.subscriptions.changeList(acme.id, 'newsletter', { isOpen: false }, viewer),
    action: 'letter-list.change',
    writes: () => ({
      subject: 'Newsletter',
      before: { key: 'newsletter', name: 'Newsletter', isOpen: true },
      after: { key: 'newsletter', name: 'Newsletter', isOpen: false },
    }),
  },
  'letters.subscriptions.settings': {
    right: 'letters:read',
    does: ({ product, acme }, viewer) => product.letters.subscriptions.settings(acme.id, viewer),
  },
  'letters.subscriptions.changeSettings': {
    right: 'letters:write',
    does: ({ product, acme }, viewer) =>
      product.letters.subscriptions.changeSettings(acme.id, { senderName: 'Acme News' }, viewer),
    action: 'letter.settings',
    writes: () => ({
      subject: 'Acme News',
      before: expect.objectContaining({ senderName: '' }),
      after: expect.objectContaining({ senderName: 'Acme News' }),
    }),
  },
  'letters.subscriptions.subscribers': {
    right: 'letters:read',
    does: ({ product, acme }, viewer) =>
      product.letters.subscriptions.subscribers(acme.id, 'newsletter', {}, viewer),
  },
  'letters.subscriptions.exportList': {
    right: 'subscribers:write',
    does: ({ product, acme }, viewer) =>
      product.letters.subscriptions.exportList(acme.id, 'newsletter', viewer),
    action: 'subscriber.export',
    writes: () => ({ subject: 'newsletter' }),
  },
  'letters.subscriptions.importAddresses': {
    right: 'subscribers:write',
    does: ({ product, acme }, viewer) =>
      product.letters.subscriptions.importAddresses(acme.id, 'newsletter', someAddresses, viewer),
    action: 'subscriber.import',
    writes: () => ({
      subject: 'newsletter',
      after: { added: 1, known: 0, left: 0, consent: someAddresses.consent },
    }),
  },
  'letters.subscriptions.remove': {
    right: 'subscribers:write',
    does: async ({ product, acme }, viewer) => {
      const { subscriptions } = product.letters
      requireDone(await subscriptions.importAddresses(acme.id, 'newsletter', someAddresses, operator()))
      const listed = requireDone(await subscriptions.subscribers(acme.id, 'newsletter', {}, operator()))
      return await subscriptions.remove(acme.id, present(listed.subscribers[0]).id, viewer)
    },
    action: 'subscriber.remove',
    writes: () => ({ subject: 'newsletter' }),
  },
}

const aLetter = { post: 'unknown', subjects: ['Hello'] }
export const someAddresses = { addresses: 'eve@example.com', consent: 'Agreed at the counter.' }

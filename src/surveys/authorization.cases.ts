import { expect } from 'vitest'
import { operator } from '#projects/access'
import { present, requireDone } from '#test/product/fixture'
import type { AuditedCall, Stage } from '#test/product/authorization/audited-call'

export const surveyCalls: Record<string, AuditedCall> = {
  'surveys.links.list': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveys.links.list(stage.acme.id, await aSurvey(stage), viewer),
  },
  'surveys.links.create': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveys.links.create(stage.acme.id, await aSurvey(stage), { count: 1 }, viewer),
    action: 'survey.create-links',
    writes: () => ({ subject: 'Why?', after: { links: 1 } }),
  },
  'surveys.links.revoke': {
    right: 'surveys:write',
    does: async ({ product, acme, ...stage }, viewer) => {
      const id = await aSurvey({ product, acme, ...stage })
      const made = await product.surveys.links.create(acme.id, id, { count: 1 }, operator())
      const [link] = requireDone(made).links
      return await product.surveys.links.revoke(acme.id, id, present(link).id, viewer)
    },
    action: 'survey.revoke-link',
    writes: () => ({ subject: 'Why?', before: { link: expect.any(String) } }),
  },
  'surveys.mailings.list': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveys.mailings.list(stage.acme.id, await aSurvey(stage), viewer),
  },
  'surveys.mailings.preview': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveys.mailings.preview(stage.acme.id, await aSurvey(stage), someLetters, viewer),
  },
  'surveys.mailings.send': {
    right: 'surveys:write',
    does: async (stage, viewer) => {
      const { product, acme } = stage
      const id = await aRunningSurvey(stage)
      requireDone(await product.surveys.change(acme.id, id, { hostedPage: { isOpen: true } }, operator()))
      // without a mail server nothing is sent
      return void (await product.surveys.mailings.send(acme.id, id, someLetters, viewer))
    },
  },
  'surveys.webhooks.find': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveys.webhooks.find(stage.acme.id, await aSurveyWithWebhook(stage), viewer),
  },
  'surveys.webhooks.deliveries': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveys.webhooks.deliveries(stage.acme.id, await aSurveyWithWebhook(stage), viewer),
  },
  'surveys.webhooks.set': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveys.webhooks.set(stage.acme.id, await aSurvey(stage), aWebhook, viewer),
    action: 'survey.set-webhook',
    writes: () => ({ subject: 'Why?', after: { url: 'https://hook.invalid/…' } }),
  },
  'surveys.webhooks.remove': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveys.webhooks.remove(stage.acme.id, await aSurveyWithWebhook(stage), viewer),
    action: 'survey.remove-webhook',
    writes: () => ({ subject: 'Why?', before: { url: 'https://hook.invalid/…' } }),
  },
  'surveys.webhooks.test': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveys.webhooks.test(stage.acme.id, await aSurveyWithWebhook(stage), viewer),
  },
  'surveys.results.results': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveys.results.results(stage.acme.id, await aSurvey(stage), {}, viewer),
  },
  'surveys.results.counts': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveys.results.counts(stage.acme.id, await aSurvey(stage), {}, viewer),
  },
  'surveys.results.figures': {
    right: 'surveys:read',
    does: async (stage, viewer) => stage.product.surveys.results.figures(stage.acme.id, viewer),
  },
  'surveys.results.tags': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      void (await stage.product.surveys.results.tags(stage.acme.id, await aSurvey(stage), viewer)),
  },
  'surveys.results.tagResponse': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveys.results.tagResponse(
        stage.acme.id,
        await aSurvey(stage),
        'one',
        { tags: ['bug'] },
        viewer,
      ),
    action: 'survey.tag-response',
    writes: () => ({
      subject: 'Why?',
      before: { submission: 'one', tags: [] },
      after: { submission: 'one', tags: ['bug'] },
    }),
  },
  'surveys.results.texts': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveys.results.texts(stage.acme.id, await aSurvey(stage), 'why', {}, viewer),
  },
  'surveys.results.responses': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveys.results.responses(stage.acme.id, await aSurvey(stage), {}, viewer),
  },
  'surveys.results.responsesOfPerson': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveys.results.responsesOfPerson(stage.acme.id, await aSurvey(stage), 'ana', viewer),
  },
  'surveys.results.response': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      void (await stage.product.surveys.results.response(stage.acme.id, await aSurvey(stage), 'one', viewer)),
  },
  'surveys.results.export': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveys.results.export(stage.acme.id, await aSurvey(stage), {}, viewer),
  },
  'surveys.results.removeResponse': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveys.results.removeResponse(stage.acme.id, await aSurvey(stage), 'one', viewer),
    action: 'survey.remove-response',
    writes: () => ({ subject: 'Why?', after: { submission: 'one' } }),
  },
  'surveys.results.restoreResponse': {
    right: 'surveys:write',
    does: async ({ product, acme, ...stage }, viewer) => {
      const id = await aSurvey({ product, acme, ...stage })
      requireDone(await product.surveys.results.removeResponse(acme.id, id, 'one', operator()))
      return await product.surveys.results.restoreResponse(acme.id, id, 'one', viewer)
    },
    action: 'survey.restore-response',
    writes: () => ({ subject: 'Why?', after: { submission: 'one' } }),
  },
  'surveys.list': {
    right: 'surveys:read',
    does: ({ product, acme }, viewer) => product.surveys.list(acme.id, viewer),
  },
  'surveys.find': {
    right: 'surveys:read',
    does: async (stage, viewer) => stage.product.surveys.find(stage.acme.id, await aSurvey(stage), viewer),
  },
  'surveys.letters': {
    right: 'surveys:read',
    does: async (stage, viewer) => {
      const survey = await stage.product.surveys.find(stage.acme.id, await aSurvey(stage), operator())
      return stage.product.surveys.letters(present(survey), viewer)
    },
  },
  'surveys.versions': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveys.versions(stage.acme.id, await aSurvey(stage), viewer),
  },
  'surveys.templates': {
    right: 'surveys:read',
    does: ({ product, acme }, viewer) => product.surveys.templates(acme.id, viewer),
  },
  'surveys.audience': {
    right: 'surveys:read',
    does: ({ product, acme }, viewer) => product.surveys.audience(acme.id, {}, 7, viewer),
  },
  'surveys.create': {
    right: 'surveys:write',
    does: ({ product, acme }, viewer) => product.surveys.create(acme.id, oneQuestion, viewer),
    action: 'survey.create',
    writes: () => ({ subject: 'Why?', after: expect.objectContaining({ questions: ['Why?'], version: 1 }) }),
  },
  'surveys.change': {
    right: 'surveys:write',
    does: async (stage, viewer) => {
      const change = { name: 'How?', hostedPage: { pin: '1234' } }
      return stage.product.surveys.change(stage.acme.id, await aSurvey(stage), change, viewer)
    },
    action: 'survey.change',
    writes: () => ({
      subject: 'How?',
      before: expect.objectContaining({ name: 'Why?' }),
      after: expect.objectContaining({
        name: 'How?',
        hostedPage: { isOpen: false, needsLink: false, mayBeEmbedded: false, hasPin: true },
      }),
    }),
  },
  'surveys.launch': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveys.launch(stage.acme.id, await aSurvey(stage), {}, viewer),
    action: 'survey.launch',
    writes: ({ world }) => ({
      subject: 'Why?',
      after: expect.objectContaining({ startsAt: world.now().toISOString() }),
    }),
  },
  'surveys.stop': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveys.stop(stage.acme.id, await aRunningSurvey(stage), viewer),
    action: 'survey.stop',
    writes: ({ world }) => ({
      subject: 'Why?',
      after: expect.objectContaining({ endsAt: world.now().toISOString() }),
    }),
  },
  'surveys.resume': {
    right: 'surveys:write',
    does: async (stage, viewer) => {
      const id = await aRunningSurvey(stage)
      requireDone(await stage.product.surveys.stop(stage.acme.id, id, operator()))
      return await stage.product.surveys.resume(stage.acme.id, id, viewer)
    },
    action: 'survey.resume',
    writes: () => ({ subject: 'Why?', before: expect.objectContaining({ endsAt: expect.anything() }) }),
  },
  'surveys.archive': {
    right: 'surveys:write',
    does: async (stage, viewer) => stage.product.surveys.archive(stage.acme.id, await aSurvey(stage), viewer),
    action: 'survey.archive',
    writes: ({ world }) => ({
      subject: 'Why?',
      after: expect.objectContaining({ archivedAt: world.now().toISOString() }),
    }),
  },
  'surveys.restore': {
    right: 'surveys:write',
    does: async (stage, viewer) => {
      const id = await aSurvey(stage)
      requireDone(await stage.product.surveys.archive(stage.acme.id, id, operator()))
      return await stage.product.surveys.restore(stage.acme.id, id, viewer)
    },
    action: 'survey.restore',
    writes: () => ({ subject: 'Why?', before: expect.objectContaining({ archivedAt: expect.anything() }) }),
  },
  'surveys.duplicate': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveys.duplicate(stage.acme.id, await aSurvey(stage), viewer),
  },
  'surveys.importFrom': {
    right: 'surveys:write',
    does: ({ product, acme }, viewer) =>
      product.surveys.importFrom(acme.id, { name: 'Theirs', type: 'api' }, '98c3635f-theirs', viewer),
  },
  'surveys.changeFromPosthog': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveys.changeFromPosthog(stage.acme.id, await aSurvey(stage), { name: 'How?' }, viewer),
  },
  'surveys.remove': {
    right: 'surveys:write',
    does: async (stage, viewer) => stage.product.surveys.remove(stage.acme.id, await aSurvey(stage), viewer),
    action: 'survey.remove',
    writes: () => ({ subject: 'Why?', before: expect.objectContaining({ name: 'Why?' }), after: undefined }),
  },
}

const oneQuestion = { name: 'Why?', content: { questions: [{ kind: 'open', text: 'Why?' }] } }

async function aSurvey({ product, acme }: Stage): Promise<string> {
  return requireDone(await product.surveys.create(acme.id, oneQuestion, operator())).survey.id
}

const someLetters = { subject: 'Hello', addresses: 'ana@example.com' }

/** The host of the webhook is never looked up: names below this one do not exist. */
const aWebhook = { url: 'https://hook.invalid/' }

async function aSurveyWithWebhook(stage: Stage): Promise<string> {
  const id = await aSurvey(stage)
  requireDone(await stage.product.surveys.webhooks.set(stage.acme.id, id, aWebhook, operator()))
  return id
}

export async function aRunningSurvey(stage: Stage): Promise<string> {
  const id = await aSurvey(stage)
  return requireDone(await stage.product.surveys.launch(stage.acme.id, id, {}, operator())).survey.id
}

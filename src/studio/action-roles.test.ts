import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { operator } from '#projects/access'
import { PageFailures } from '#server/page-failures'
import { openProduct } from '#server/product'
import {
  aFolder,
  aWorld,
  memberHelpers,
  openTestProduct,
  present,
  requireDone,
  testOrigin,
} from '#test/product/fixture'
import { serverActionFiles } from '#test/rules/server-actions'

/** From the one who may least. A stranger is an editor of another project. */
const callers = ['nobody', 'stranger', 'viewer', 'editor', 'admin', 'owner'] as const
type Caller = (typeof callers)[number]

/** The least role that may call each action; every higher role may call it as well. */
const least: Record<string, Caller> = {
  'studio/shared-pages/unlock.ts#unlock': 'nobody',
  'studio/annotations/changes.ts#saveAnnotation': 'editor',
  'studio/annotations/changes.ts#removeAnnotation': 'editor',
  'studio/shell/appearance.ts#chooseTheme': 'nobody',
  'studio/parts/confirm-password.ts#confirmPassword': 'stranger',
  'studio/parts/confirm-password.ts#waysToConfirm': 'stranger',
  'studio/parts/confirm-password.ts#confirmByProvider': 'stranger',
  'studio/dashboards/changes.ts#createDashboard': 'editor',
  'studio/dashboards/changes.ts#renameDashboard': 'editor',
  'studio/dashboards/changes.ts#saveView': 'editor',
  'studio/dashboards/changes.ts#arrangeCards': 'editor',
  'studio/dashboards/changes.ts#addCard': 'editor',
  'studio/card-placement/add-to-dashboard.ts#addToDashboard': 'editor',
  'studio/dashboards/changes.ts#changeCard': 'editor',
  'studio/dashboards/changes.ts#removeCard': 'editor',
  'studio/dashboards/changes.ts#restoreLayout': 'editor',
  'studio/dashboards/changes.ts#duplicateDashboard': 'editor',
  'studio/dashboards/changes.ts#archiveDashboard': 'editor',
  'studio/dashboards/changes.ts#restoreDashboard': 'editor',
  'studio/dashboards/changes.ts#chooseHome': 'editor',
  'studio/dashboards/changes.ts#defaultQuery': 'viewer',
  'studio/shell/failure-behind.ts#failureBehind': 'stranger',
  'studio/filters/suggest.ts#suggestProperties': 'viewer',
  'studio/filters/suggest.ts#suggestValues': 'viewer',
  'studio/filters/suggest.ts#suggestEvents': 'viewer',
  'studio/filters/suggest.ts#suggestPersons': 'viewer',
  'studio/insights/changes.ts#saveInsight': 'editor',
  'studio/insights/changes.ts#changeInsight': 'editor',
  'studio/insights/changes.ts#renameInsight': 'editor',
  'studio/insights/changes.ts#duplicateInsight': 'editor',
  'studio/insights/changes.ts#archiveInsight': 'editor',
  'studio/insights/changes.ts#restoreInsight': 'editor',
  'studio/insights/changes.ts#restoreVersion': 'editor',
  'studio/insights/changes.ts#setFavourite': 'viewer',
  'studio/shares/changes.ts#createShare': 'editor',
  'studio/shares/changes.ts#readShareLink': 'editor',
  'studio/shares/changes.ts#allowEmbedding': 'editor',
  'studio/shares/changes.ts#changeShare': 'editor',
  'studio/shares/changes.ts#renewShare': 'editor',
  'studio/shares/changes.ts#revokeShare': 'editor',
  'studio/sign-in/forgot.ts#askForReset': 'nobody',
  'studio/sign-in/join.ts#readOffer': 'nobody',
  'studio/sign-in/join.ts#joinAsNew': 'nobody',
  'studio/sign-in/join.ts#joinAsMember': 'nobody',
  'studio/sign-in/join.ts#signInAndJoin': 'nobody',
  'studio/sign-in/reset.ts#resetPassword': 'nobody',
  'studio/sign-in/set-up.ts#setUp': 'nobody',
  'studio/sign-in/sign-in.ts#signIn': 'nobody',
  'studio/sign-in/sign-in.ts#finishSignIn': 'nobody',
  'studio/sign-in/sign-in.ts#passkeyOptions': 'nobody',
  'studio/sign-in/sign-in.ts#signInWithPasskey': 'nobody',
  'studio/alerts/actions.ts#saveAlert': 'editor',
  'studio/alerts/actions.ts#removeAlert': 'editor',
  'studio/alerts/actions.ts#muteAlert': 'editor',
  'studio/alerts/actions.ts#testAlert': 'editor',
  'studio/alerts/actions.ts#alertDeliveries': 'editor',
  'studio/alerts/actions.ts#previewAlert': 'viewer',
  'studio/alerts/actions.ts#saveReport': 'editor',
  'studio/alerts/actions.ts#removeReport': 'editor',
  'studio/alerts/actions.ts#sendReport': 'editor',
  'studio/experiments/actions.ts#createExperiment': 'editor',
  'studio/experiments/actions.ts#changeExperiment': 'editor',
  'studio/experiments/actions.ts#reloadExperiment': 'viewer',
  'studio/experiments/actions.ts#planDraft': 'viewer',
  'studio/experiments/actions.ts#renewResult': 'viewer',
  'studio/experiments/actions.ts#startExperiment': 'editor',
  'studio/experiments/actions.ts#endExperiment': 'editor',
  'studio/experiments/actions.ts#pauseRollout': 'editor',
  'studio/experiments/actions.ts#resumeRollout': 'editor',
  'studio/experiments/actions.ts#pauseBandit': 'editor',
  'studio/experiments/actions.ts#resumeBandit': 'editor',
  'studio/experiments/actions.ts#shipVariant': 'editor',
  'studio/experiments/actions.ts#takeBackVariant': 'editor',
  'studio/experiments/actions.ts#reopenExperiment': 'editor',
  'studio/experiments/actions.ts#archiveExperiment': 'editor',
  'studio/experiments/actions.ts#restoreExperiment': 'editor',
  'studio/experiments/actions.ts#duplicateExperiment': 'editor',
  'studio/experiments/actions.ts#beginAaCheck': 'editor',
  'studio/experiments/actions.ts#saveMetric': 'editor',
  'studio/experiments/actions.ts#removeSavedMetric': 'editor',
  'studio/flags/actions.ts#createFlag': 'editor',
  'studio/flags/actions.ts#createFlagForNumber': 'editor',
  'studio/flags/actions.ts#saveFlag': 'editor',
  'studio/flags/actions.ts#reloadFlag': 'viewer',
  'studio/flags/actions.ts#turnFlag': 'editor',
  'studio/flags/actions.ts#duplicateFlag': 'editor',
  'studio/flags/actions.ts#copySetting': 'editor',
  'studio/flags/actions.ts#archiveFlag': 'editor',
  'studio/flags/actions.ts#restoreFlag': 'editor',
  'studio/flags/actions.ts#revertFlag': 'editor',
  'studio/flags/actions.ts#importFlags': 'editor',
  'studio/flags/actions.ts#revealSecret': 'admin',
  'studio/flags/actions.ts#countAudience': 'viewer',
  'studio/flags/actions.ts#scheduleFlag': 'editor',
  'studio/flags/actions.ts#cancelSchedule': 'editor',
  'studio/flags/actions.ts#startGuard': 'editor',
  'studio/flags/actions.ts#stopGuard': 'editor',
  'studio/flags/actions.ts#pauseGuard': 'editor',
  'studio/flags/actions.ts#resumeGuard': 'editor',
  'studio/flags/actions.ts#createTryingLink': 'viewer',
  'studio/flags/environments/actions.ts#createEnvironment': 'editor',
  'studio/flags/environments/actions.ts#renewEnvironmentKey': 'admin',
  'studio/flags/environments/actions.ts#removeEnvironment': 'admin',
  'studio/flags/holdouts/actions.ts#saveHoldout': 'editor',
  'studio/flags/holdouts/actions.ts#removeHoldout': 'editor',
  'studio/flags/holdouts/actions.ts#saveLayer': 'editor',
  'studio/flags/holdouts/actions.ts#removeLayer': 'editor',
  'studio/live/name-persons.ts#namePersons': 'viewer',
  'studio/numbers/actions.ts#countNumber': 'viewer',
  'studio/people/actions.ts#savePeopleAsCohort': 'editor',
  'studio/people/actions.ts#saveNumberCohort': 'editor',
  'studio/people/actions.ts#countMatching': 'viewer',
  'studio/people/actions.ts#eventFacts': 'viewer',
  'studio/people/actions.ts#saveCohort': 'editor',
  'studio/people/actions.ts#removeCohort': 'editor',
  'studio/people/actions.ts#cohortFromFile': 'editor',
  'studio/people/actions.ts#addToCohort': 'editor',
  'studio/people/actions.ts#splitPerson': 'admin',
  'studio/people/actions.ts#erasePerson': 'admin',
  'studio/people/list-actions.ts#createPersonList': 'editor',
  'studio/people/list-actions.ts#updatePersonList': 'editor',
  'studio/people/list-actions.ts#removePersonList': 'editor',
  'studio/posts/actions.tsx#createPost': 'editor',
  'studio/posts/actions.tsx#savePost': 'editor',
  'studio/posts/actions.tsx#publishChanges': 'editor',
  'studio/posts/actions.tsx#discardChanges': 'editor',
  'studio/posts/actions.tsx#reloadPost': 'viewer',
  'studio/posts/actions.tsx#publishPost': 'editor',
  'studio/posts/actions.tsx#republishPost': 'editor',
  'studio/posts/actions.tsx#unpublishPost': 'editor',
  'studio/posts/actions.tsx#archivePost': 'editor',
  'studio/posts/actions.tsx#restorePost': 'editor',
  'studio/posts/actions.tsx#restorePostVersion': 'editor',
  'studio/posts/actions.tsx#previewLink': 'viewer',
  'studio/posts/actions.tsx#previewText': 'viewer',
  'studio/posts/actions.tsx#previewBlocksOf': 'viewer',
  'studio/posts/actions.tsx#startTrial': 'editor',
  'studio/posts/actions.tsx#stopTrial': 'editor',
  'studio/posts/actions.tsx#pickWinner': 'editor',
  'studio/posts/authors/actions.ts#saveAuthor': 'editor',
  'studio/posts/authors/actions.ts#removeAuthor': 'editor',
  'studio/posts/comments/actions.ts#decideComment': 'editor',
  'studio/posts/comments/actions.ts#removeComment': 'editor',
  'studio/posts/images/actions.ts#findImages': 'viewer',
  'studio/posts/images/actions.ts#changeImage': 'editor',
  'studio/posts/images/actions.ts#removeImage': 'editor',
  'studio/posts/letters/actions.ts#saveLetterSettings': 'editor',
  'studio/posts/letters/actions.ts#createList': 'editor',
  'studio/posts/letters/actions.ts#setListOpen': 'editor',
  'studio/posts/letters/actions.ts#importSubscribers': 'admin',
  'studio/posts/letters/actions.ts#exportSubscribers': 'admin',
  'studio/posts/letters/actions.ts#removeSubscriber': 'admin',
  'studio/posts/letters/actions.ts#previewLetter': 'editor',
  'studio/posts/letters/actions.ts#sendTestLetter': 'editor',
  'studio/posts/letters/actions.ts#sendLetter': 'editor',
  'studio/posts/letters/actions.ts#cancelLetter': 'editor',
  'studio/posts/letters/actions.ts#createRecipientCohort': 'editor',
  'studio/posts/redirects/actions.ts#addRedirect': 'admin',
  'studio/posts/redirects/actions.ts#removeRedirect': 'admin',
  'studio/posts/site/actions.ts#saveSite': 'admin',
  'studio/settings/analytics/change-analytics.ts#changeUnits': 'admin',
  'studio/settings/analytics/change-analytics.ts#changeInternalUsers': 'admin',
  'studio/settings/analytics/change-analytics.ts#changeVisits': 'admin',
  'studio/settings/analytics/change-analytics.ts#changePageGroups': 'admin',
  'studio/settings/collection/change-collection.ts#changeCollection': 'admin',
  'studio/settings/events/define.ts#define': 'editor',
  'studio/settings/general.ts#changeProject': 'admin',
  'studio/settings/general.ts#renewWriteKey': 'admin',
  'studio/settings/general.ts#archiveProject': 'owner',
  'studio/settings/general.ts#restoreProject': 'owner',
  'studio/settings/import/import-actions.ts#previewUpload': 'admin',
  'studio/settings/import/import-actions.ts#startImport': 'admin',
  'studio/settings/import/import-actions.ts#discardUpload': 'admin',
  'studio/settings/import/import-actions.ts#undoImport': 'admin',
  'studio/settings/agents/agents.ts#changeAgents': 'admin',
  'studio/settings/agents/agents.ts#revokeAgent': 'viewer',
  'studio/settings/keys/keys.ts#createKey': 'admin',
  'studio/settings/keys/keys.ts#revokeKey': 'admin',
  'studio/settings/members/members.ts#changeRole': 'admin',
  'studio/settings/members/members.ts#removeMember': 'admin',
  'studio/settings/members/members.ts#leaveProject': 'viewer',
  'studio/settings/members/members.ts#invite': 'admin',
  'studio/settings/members/members.ts#revokeInvitation': 'admin',
  'studio/settings/retention/change-retention.ts#changeRetention': 'admin',
  'studio/settings/system/check.ts#checkNow': 'admin',
  'studio/surveys/actions.ts#createSurvey': 'editor',
  'studio/surveys/actions.ts#createFromTemplate': 'editor',
  'studio/surveys/actions.ts#createSurveyForNumber': 'editor',
  'studio/surveys/actions.ts#saveSurvey': 'editor',
  'studio/surveys/actions.ts#reloadSurvey': 'viewer',
  'studio/surveys/actions.ts#duplicateSurvey': 'editor',
  'studio/surveys/actions.ts#archiveSurvey': 'editor',
  'studio/surveys/actions.ts#restoreSurvey': 'editor',
  'studio/surveys/actions.ts#launchSurvey': 'editor',
  'studio/surveys/actions.ts#stopSurvey': 'editor',
  'studio/surveys/actions.ts#resumeSurvey': 'editor',
  'studio/surveys/actions.ts#removeResponse': 'editor',
  'studio/surveys/actions.ts#restoreResponse': 'editor',
  'studio/surveys/actions.ts#tagResponse': 'editor',
  'studio/surveys/actions.ts#countSurveyAudience': 'viewer',
  'studio/surveys/share/actions.ts#createLinks': 'editor',
  'studio/surveys/share/actions.ts#revokeLink': 'editor',
  'studio/surveys/share/actions.ts#saveRecipients': 'editor',
  'studio/surveys/share/actions.ts#setWebhook': 'editor',
  'studio/surveys/share/actions.ts#removeWebhook': 'editor',
  'studio/surveys/share/actions.ts#testWebhook': 'editor',
  'studio/surveys/share/actions.ts#previewLetters': 'editor',
  'studio/surveys/share/actions.ts#sendLetters': 'editor',
  'studio/web/changes.ts#saveSegment': 'editor',
  'studio/web/changes.ts#removeSegment': 'editor',
  'studio/web/changes.ts#saveGoal': 'editor',
  'studio/web/changes.ts#removeGoal': 'editor',
  'studio/sign-in/consent.ts#allowAssistant': 'stranger',
  'studio/sign-in/consent.ts#denyAssistant': 'stranger',
  'studio/account/account.ts#changeAccount': 'stranger',
  'studio/account/account.ts#changePassword': 'stranger',
  'studio/account/account.ts#endSession': 'stranger',
  'studio/account/account.ts#endOtherSessions': 'stranger',
  'studio/account/security.ts#beginApp': 'stranger',
  'studio/account/security.ts#confirmApp': 'stranger',
  'studio/account/security.ts#removeApp': 'stranger',
  'studio/account/security.ts#renewRecoveryCodes': 'stranger',
  'studio/account/security.ts#beginPasskey': 'stranger',
  'studio/account/security.ts#addPasskey': 'stranger',
  'studio/account/security.ts#removePasskey': 'stranger',
  'studio/account/security.ts#beginLink': 'stranger',
  'studio/installation/installation.ts#requireSecondFactor': 'owner',
  'studio/settings/email/mail-server.ts#saveMailServer': 'owner',
  'studio/settings/email/mail-server.ts#removeMailServer': 'owner',
  'studio/settings/email/mail-server.ts#sendTestEmail': 'owner',
  'studio/installation/installation.ts#requireSecondFactorIn': 'admin',
  'studio/projects/create-project.ts#createProject': 'owner',
  'studio/proposals/actions.ts#approveProposal': 'editor',
  'studio/proposals/actions.ts#refuseProposal': 'editor',
}

type Tokens = Readonly<Record<Caller, string | undefined>>
let template: string
let tokens: Tokens
/** Ids of a dashboard and a post, and the key of a flag. */
let things: string[]
let endFolder = () => {}
let token: string | undefined

beforeAll(async () => {
  vi.resetModules()
  const jar = { get: () => token && { value: token }, set: () => {} }
  vi.doMock('next/headers', () => ({ cookies: async () => jar, headers: async () => new Headers() }))
  vi.doMock('next/cache', () => ({ refresh() {}, revalidatePath() {} }))
  template = aFolder((end) => (endFolder = end))
  const product = await openProduct({ store: { folder: template }, world: aWorld() })
  const { aProject, aMember } = memberHelpers(product)
  const acme = await aProject()
  const other = await aProject({ name: 'Other' })
  const signIn = async (role: 'viewer' | 'editor' | 'admin' | 'owner', name: string, project = acme) => {
    const member = await aMember({ role, name, project })
    return { member, token: (await product.signIn.welcome(member, testOrigin)).token }
  }
  const owner = await signIn('owner', 'Olga')
  const viewer = present(await product.signIn.sessions.viewer(owner.token, testOrigin))
  const invited = requireDone(
    await product.projects.invitations.create(other.id, { role: 'owner' }, operator()),
  )
  requireDone(await product.projects.invitations.accept(invited.token, viewer))
  const { dashboard } = requireDone(await product.dashboards.create(acme.id, { name: 'Overview' }, viewer))
  const { post } = requireDone(await product.posts.create(acme.id, { title: 'Hello' }, viewer))
  const { flag } = requireDone(await product.flags.create(acme.id, { key: 'checkout' }, viewer))
  things = [dashboard.id, post.id, flag.key]
  tokens = {
    nobody: undefined,
    stranger: (await signIn('editor', 'Sten', other)).token,
    viewer: (await signIn('viewer', 'Vera')).token,
    editor: (await signIn('editor', 'Edna')).token,
    admin: (await signIn('admin', 'Adam')).token,
    owner: owner.token,
  }
  await product.close()
})

afterAll(() => {
  endFolder()
  vi.doUnmock('next/headers')
  vi.doUnmock('next/cache')
  vi.resetModules()
})

type Action = (...given: unknown[]) => Promise<unknown>

const productSymbol = Symbol.for('tilth.product')
const failuresSymbol = Symbol.for('tilth.failures')

/** Input for actions that look at it before they ask for the right, which they do once it is whole. */
const whole: Record<string, unknown[]> = {
  saveAnnotation: ['acme', '', '', formOf({ day: '2026-01-01', time: '10:00', text: 'Released' })],
  importFlags: ['acme', '{}'],
  createFromTemplate: ['acme', 'nps'],
  saveSegment: [
    'acme',
    [{ dimension: 'country', operator: 'is', values: ['DE'] }],
    '',
    formOf({ name: 'Germans' }),
  ],
}

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

/** The arguments of an action by the names of its parameters: only the project is real. */
function argumentsOf(action: Action): unknown[] {
  const known = whole[action.name]
  if (known) return known
  const [, names = ''] = /\(([^)]*)\)/.exec(String(action)) ?? []
  return names.split(',').map((name) => {
    if (name.trim() === 'slug') return 'acme'
    return /form/i.test(name)
      ? new FormData()
      : /input|draft|change|definition|question/.test(name)
        ? {}
        : 'x'
  })
}

/** The refusals that the product gives to members without the right. */
const refusal =
  /^(?:You may not do this|Only project owners can create projects|Only an owner of every project)|There is no such project\./

async function isRefused(action: Action): Promise<boolean> {
  try {
    return refusal.test(
      JSON.stringify((await action(...argumentsOf(action))) ?? null).replace(/^.*?"message":"/, ''),
    )
  } catch (problem) {
    const digest = problem instanceof Error && 'digest' in problem ? String(problem.digest) : ''
    return (
      digest.startsWith('NEXT_HTTP_ERROR_FALLBACK;404') || /^NEXT_REDIRECT;\w+;\/studio\/sign-in/.test(digest)
    )
  }
}

const files = serverActionFiles()
const actions = files.flatMap(({ path, names }) =>
  names.map((name) => ({ path, name, key: `${path}#${name}` })),
)

/** The product that the actions of one test find. */
async function openProductForActions() {
  const opened = await openTestProduct({ like: template })
  const globals = globalThis as { [symbol: symbol]: unknown }
  globals[productSymbol] = opened.product
  globals[failuresSymbol] = new PageFailures()
  onTestFinished(() => {
    delete globals[productSymbol]
    delete globals[failuresSymbol]
  })
  return opened
}

async function actionOf(path: string, name: string): Promise<Action> {
  const exported: Record<string, Action> = await import(join(import.meta.dirname, '..', path))
  return present(exported[name])
}

/** A form that has every field. */
const fullForm = Object.assign(new FormData(), { get: () => 'x', getAll: () => ['x'], has: () => true })

/** Values that no form sends, but a request can: React reads symbols from it, and objects with any property. */
const strangeValues = [
  undefined,
  null,
  'x',
  -1,
  1.5,
  true,
  Symbol.for('x'),
  { toString: 'x', valueOf: 'x' },
  [null],
  new FormData(),
  fullForm,
]

/** The arguments of each nonsensical call: with a real project, with real things of it, and with neither. */
const nonsense = (): unknown[][] => [
  [],
  ...strangeValues.flatMap((value) =>
    [['acme'], ...things.map((thing) => ['acme', thing]), [value]].map((real) => [
      ...real,
      value,
      value,
      value,
      value,
    ]),
  ),
]

/** The unexpected error of a call; undefined for an answer, a redirect, a missing page and the engine that tests lack. */
async function surpriseOf(action: Action, given: unknown[]): Promise<string | undefined> {
  try {
    await action(...given)
    return undefined
  } catch (problem) {
    const isExpected =
      problem instanceof Error &&
      (problem.name === 'EngineError' || ('digest' in problem && String(problem.digest).startsWith('NEXT_')))
    return isExpected ? undefined : `${inspect(given)}: ${String(problem)}`
  }
}

describe('server actions', () => {
  test('all have a row that says who may call them', () => {
    expect(files.filter(({ hasInline }) => hasInline)).toEqual([])
    expect(Object.keys(least).toSorted()).toEqual(actions.map(({ key }) => key).toSorted())
  })

  test.each(actions)(
    '$key refuses those who may not, and changes nothing for them',
    async ({ path, name, key }) => {
      const { folder } = await openProductForActions()
      const database = new DatabaseSync(join(folder, 'store.db'))
      onTestFinished(() => database.close())
      // the version changes with commits of other connections
      const version = () => database.prepare('PRAGMA data_version').get()
      const action = await actionOf(path, name)
      const passed: Caller[] = []
      for (const caller of callers) {
        token = tokens[caller]
        const before = version()
        if (!(await isRefused(action))) passed.push(caller)
        else expect(version(), `changed by ${caller}`).toEqual(before)
      }
      expect(passed).toEqual(callers.slice(callers.indexOf(present(least[key]))))
    },
  )

  test.each(actions)('$key answers arguments that no form sends', async ({ path, name }) => {
    await openProductForActions()
    const action = await actionOf(path, name)
    token = tokens.owner
    const surprises: string[] = []
    for (const given of nonsense()) {
      const surprise = await surpriseOf(action, given)
      if (surprise) surprises.push(surprise)
    }
    expect(surprises).toEqual([])
  })

  test('an error that is neither a redirect nor a missing page is a surprise', async () => {
    const broken = () => Promise.reject(new TypeError('no text'))
    expect(await surpriseOf(broken, ['acme'])).toBe("[ 'acme' ]: TypeError: no text")
  })
})

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { operator } from '#projects/access'
import { openProduct } from '#server/product'
import {
  aFolder,
  aWorld,
  memberHelpers,
  openTestProduct,
  present,
  requireDone,
  testOrigin,
} from '#test/fixture'
import { serverActionFiles } from '#test/server-actions'

/** From the one who may least. A stranger is an editor of another project. */
const callers = ['nobody', 'stranger', 'viewer', 'editor', 'admin', 'owner'] as const
type Caller = (typeof callers)[number]

/** Who may call an action; whoever follows may as well. */
const least: Record<string, Caller> = {
  '(share)/share/[token]/unlock.ts#unlock': 'nobody',
  '(studio)/annotations/changes.ts#saveAnnotation': 'editor',
  '(studio)/annotations/changes.ts#removeAnnotation': 'editor',
  '(studio)/appearance.ts#chooseTheme': 'nobody',
  '(studio)/confirm-password.ts#confirmPassword': 'stranger',
  '(studio)/confirm-password.ts#waysToConfirm': 'stranger',
  '(studio)/confirm-password.ts#confirmByProvider': 'stranger',
  '(studio)/dashboards/changes.ts#createDashboard': 'editor',
  '(studio)/dashboards/changes.ts#renameDashboard': 'editor',
  '(studio)/dashboards/changes.ts#saveView': 'editor',
  '(studio)/dashboards/changes.ts#arrangeCards': 'editor',
  '(studio)/dashboards/changes.ts#addCard': 'editor',
  '(studio)/dashboards/changes.ts#addToDashboard': 'editor',
  '(studio)/dashboards/changes.ts#changeCard': 'editor',
  '(studio)/dashboards/changes.ts#removeCard': 'editor',
  '(studio)/dashboards/changes.ts#restoreLayout': 'editor',
  '(studio)/dashboards/changes.ts#duplicateDashboard': 'editor',
  '(studio)/dashboards/changes.ts#archiveDashboard': 'editor',
  '(studio)/dashboards/changes.ts#restoreDashboard': 'editor',
  '(studio)/dashboards/changes.ts#chooseHome': 'editor',
  '(studio)/dashboards/changes.ts#defaultQuestion': 'viewer',
  '(studio)/failure-behind.ts#failureBehind': 'stranger',
  '(studio)/filters/suggest.ts#suggestProperties': 'viewer',
  '(studio)/filters/suggest.ts#suggestValues': 'viewer',
  '(studio)/filters/suggest.ts#suggestEvents': 'viewer',
  '(studio)/filters/suggest.ts#suggestPersons': 'viewer',
  '(studio)/insights/changes.ts#saveInsight': 'editor',
  '(studio)/insights/changes.ts#changeInsight': 'editor',
  '(studio)/insights/changes.ts#renameInsight': 'editor',
  '(studio)/insights/changes.ts#duplicateInsight': 'editor',
  '(studio)/insights/changes.ts#archiveInsight': 'editor',
  '(studio)/insights/changes.ts#restoreInsight': 'editor',
  '(studio)/insights/changes.ts#restoreVersion': 'editor',
  '(studio)/insights/changes.ts#setFavourite': 'viewer',
  '(studio)/shares/changes.ts#createShare': 'editor',
  '(studio)/shares/changes.ts#readShareLink': 'editor',
  '(studio)/shares/changes.ts#allowEmbedding': 'editor',
  '(studio)/shares/changes.ts#changeShare': 'editor',
  '(studio)/shares/changes.ts#renewShare': 'editor',
  '(studio)/shares/changes.ts#revokeShare': 'editor',
  '(studio)/studio/(door)/forgot/forgot.ts#askForReset': 'nobody',
  '(studio)/studio/(door)/join/join.ts#readOffer': 'nobody',
  '(studio)/studio/(door)/join/join.ts#joinAsNew': 'nobody',
  '(studio)/studio/(door)/join/join.ts#joinAsMember': 'nobody',
  '(studio)/studio/(door)/join/join.ts#signInAndJoin': 'nobody',
  '(studio)/studio/(door)/reset/reset.ts#resetPassword': 'nobody',
  '(studio)/studio/(door)/setup/set-up.ts#setUp': 'nobody',
  '(studio)/studio/(door)/sign-in/sign-in.ts#signIn': 'nobody',
  '(studio)/studio/(door)/sign-in/sign-in.ts#finishSignIn': 'nobody',
  '(studio)/studio/(door)/sign-in/sign-in.ts#passkeyOptions': 'nobody',
  '(studio)/studio/(door)/sign-in/sign-in.ts#signInWithPasskey': 'nobody',
  '(studio)/studio/(inside)/[project]/alerts/actions.ts#saveAlert': 'editor',
  '(studio)/studio/(inside)/[project]/alerts/actions.ts#removeAlert': 'editor',
  '(studio)/studio/(inside)/[project]/alerts/actions.ts#muteAlert': 'editor',
  '(studio)/studio/(inside)/[project]/alerts/actions.ts#testAlert': 'editor',
  '(studio)/studio/(inside)/[project]/alerts/actions.ts#alertDeliveries': 'editor',
  '(studio)/studio/(inside)/[project]/alerts/actions.ts#previewAlert': 'viewer',
  '(studio)/studio/(inside)/[project]/alerts/actions.ts#saveReport': 'editor',
  '(studio)/studio/(inside)/[project]/alerts/actions.ts#removeReport': 'editor',
  '(studio)/studio/(inside)/[project]/alerts/actions.ts#sendReport': 'editor',
  '(studio)/studio/(inside)/[project]/experiments/actions.ts#createExperiment': 'editor',
  '(studio)/studio/(inside)/[project]/experiments/actions.ts#changeExperiment': 'editor',
  '(studio)/studio/(inside)/[project]/experiments/actions.ts#reloadExperiment': 'viewer',
  '(studio)/studio/(inside)/[project]/experiments/actions.ts#startExperiment': 'editor',
  '(studio)/studio/(inside)/[project]/experiments/actions.ts#endExperiment': 'editor',
  '(studio)/studio/(inside)/[project]/experiments/actions.ts#pauseRollout': 'editor',
  '(studio)/studio/(inside)/[project]/experiments/actions.ts#resumeRollout': 'editor',
  '(studio)/studio/(inside)/[project]/experiments/actions.ts#pauseBandit': 'editor',
  '(studio)/studio/(inside)/[project]/experiments/actions.ts#resumeBandit': 'editor',
  '(studio)/studio/(inside)/[project]/experiments/actions.ts#shipVariant': 'editor',
  '(studio)/studio/(inside)/[project]/experiments/actions.ts#archiveExperiment': 'editor',
  '(studio)/studio/(inside)/[project]/experiments/actions.ts#restoreExperiment': 'editor',
  '(studio)/studio/(inside)/[project]/experiments/actions.ts#duplicateExperiment': 'editor',
  '(studio)/studio/(inside)/[project]/experiments/actions.ts#beginAaCheck': 'viewer',
  '(studio)/studio/(inside)/[project]/experiments/actions.ts#saveMetric': 'editor',
  '(studio)/studio/(inside)/[project]/experiments/actions.ts#removeSavedMetric': 'editor',
  '(studio)/studio/(inside)/[project]/flags/actions.ts#createFlag': 'editor',
  '(studio)/studio/(inside)/[project]/flags/actions.ts#saveFlag': 'editor',
  '(studio)/studio/(inside)/[project]/flags/actions.ts#reloadFlag': 'viewer',
  '(studio)/studio/(inside)/[project]/flags/actions.ts#turnFlag': 'editor',
  '(studio)/studio/(inside)/[project]/flags/actions.ts#duplicateFlag': 'editor',
  '(studio)/studio/(inside)/[project]/flags/actions.ts#copySetting': 'editor',
  '(studio)/studio/(inside)/[project]/flags/actions.ts#archiveFlag': 'editor',
  '(studio)/studio/(inside)/[project]/flags/actions.ts#restoreFlag': 'editor',
  '(studio)/studio/(inside)/[project]/flags/actions.ts#revertFlag': 'editor',
  '(studio)/studio/(inside)/[project]/flags/actions.ts#importFlags': 'editor',
  '(studio)/studio/(inside)/[project]/flags/actions.ts#revealSecret': 'admin',
  '(studio)/studio/(inside)/[project]/flags/actions.ts#countAudience': 'viewer',
  '(studio)/studio/(inside)/[project]/flags/actions.ts#scheduleFlag': 'editor',
  '(studio)/studio/(inside)/[project]/flags/actions.ts#cancelSchedule': 'editor',
  '(studio)/studio/(inside)/[project]/flags/actions.ts#startGuard': 'editor',
  '(studio)/studio/(inside)/[project]/flags/actions.ts#stopGuard': 'editor',
  '(studio)/studio/(inside)/[project]/flags/actions.ts#pauseGuard': 'editor',
  '(studio)/studio/(inside)/[project]/flags/actions.ts#resumeGuard': 'editor',
  '(studio)/studio/(inside)/[project]/flags/actions.ts#createTryingLink': 'viewer',
  '(studio)/studio/(inside)/[project]/flags/environments/actions.ts#createEnvironment': 'editor',
  '(studio)/studio/(inside)/[project]/flags/environments/actions.ts#renewEnvironmentKey': 'admin',
  '(studio)/studio/(inside)/[project]/flags/environments/actions.ts#removeEnvironment': 'admin',
  '(studio)/studio/(inside)/[project]/flags/holdouts/actions.ts#saveHoldout': 'editor',
  '(studio)/studio/(inside)/[project]/flags/holdouts/actions.ts#removeHoldout': 'editor',
  '(studio)/studio/(inside)/[project]/flags/holdouts/actions.ts#saveLayer': 'editor',
  '(studio)/studio/(inside)/[project]/flags/holdouts/actions.ts#removeLayer': 'editor',
  '(studio)/studio/(inside)/[project]/people/actions.ts#savePeopleAsCohort': 'editor',
  '(studio)/studio/(inside)/[project]/people/actions.ts#countMatching': 'viewer',
  '(studio)/studio/(inside)/[project]/people/actions.ts#eventFacts': 'viewer',
  '(studio)/studio/(inside)/[project]/people/actions.ts#saveCohort': 'editor',
  '(studio)/studio/(inside)/[project]/people/actions.ts#removeCohort': 'editor',
  '(studio)/studio/(inside)/[project]/people/actions.ts#cohortFromFile': 'editor',
  '(studio)/studio/(inside)/[project]/people/actions.ts#addToCohort': 'editor',
  '(studio)/studio/(inside)/[project]/people/actions.ts#splitPerson': 'admin',
  '(studio)/studio/(inside)/[project]/people/actions.ts#erasePerson': 'admin',
  '(studio)/studio/(inside)/[project]/people/list-actions.ts#createPersonList': 'editor',
  '(studio)/studio/(inside)/[project]/people/list-actions.ts#updatePersonList': 'editor',
  '(studio)/studio/(inside)/[project]/people/list-actions.ts#removePersonList': 'editor',
  '(studio)/studio/(inside)/[project]/posts/actions.tsx#createPost': 'editor',
  '(studio)/studio/(inside)/[project]/posts/actions.tsx#savePost': 'editor',
  '(studio)/studio/(inside)/[project]/posts/actions.tsx#publishChanges': 'editor',
  '(studio)/studio/(inside)/[project]/posts/actions.tsx#discardChanges': 'editor',
  '(studio)/studio/(inside)/[project]/posts/actions.tsx#reloadPost': 'viewer',
  '(studio)/studio/(inside)/[project]/posts/actions.tsx#publishPost': 'editor',
  '(studio)/studio/(inside)/[project]/posts/actions.tsx#republishPost': 'editor',
  '(studio)/studio/(inside)/[project]/posts/actions.tsx#unpublishPost': 'editor',
  '(studio)/studio/(inside)/[project]/posts/actions.tsx#archivePost': 'editor',
  '(studio)/studio/(inside)/[project]/posts/actions.tsx#restorePost': 'editor',
  '(studio)/studio/(inside)/[project]/posts/actions.tsx#restorePostVersion': 'editor',
  '(studio)/studio/(inside)/[project]/posts/actions.tsx#previewLink': 'viewer',
  '(studio)/studio/(inside)/[project]/posts/actions.tsx#previewText': 'viewer',
  '(studio)/studio/(inside)/[project]/posts/actions.tsx#previewBlocksOf': 'viewer',
  '(studio)/studio/(inside)/[project]/posts/actions.tsx#startTrial': 'editor',
  '(studio)/studio/(inside)/[project]/posts/actions.tsx#stopTrial': 'editor',
  '(studio)/studio/(inside)/[project]/posts/actions.tsx#pickWinner': 'editor',
  '(studio)/studio/(inside)/[project]/posts/authors/actions.ts#saveAuthor': 'editor',
  '(studio)/studio/(inside)/[project]/posts/authors/actions.ts#removeAuthor': 'editor',
  '(studio)/studio/(inside)/[project]/posts/comments/actions.ts#decideComment': 'editor',
  '(studio)/studio/(inside)/[project]/posts/comments/actions.ts#removeComment': 'editor',
  '(studio)/studio/(inside)/[project]/posts/images/actions.ts#findImages': 'viewer',
  '(studio)/studio/(inside)/[project]/posts/images/actions.ts#changeImage': 'editor',
  '(studio)/studio/(inside)/[project]/posts/images/actions.ts#removeImage': 'editor',
  '(studio)/studio/(inside)/[project]/posts/letters/actions.ts#saveLetterSettings': 'editor',
  '(studio)/studio/(inside)/[project]/posts/letters/actions.ts#createList': 'editor',
  '(studio)/studio/(inside)/[project]/posts/letters/actions.ts#setListOpen': 'editor',
  '(studio)/studio/(inside)/[project]/posts/letters/actions.ts#importSubscribers': 'admin',
  '(studio)/studio/(inside)/[project]/posts/letters/actions.ts#exportSubscribers': 'admin',
  '(studio)/studio/(inside)/[project]/posts/letters/actions.ts#removeSubscriber': 'admin',
  '(studio)/studio/(inside)/[project]/posts/letters/actions.ts#previewLetter': 'editor',
  '(studio)/studio/(inside)/[project]/posts/letters/actions.ts#sendTestLetter': 'editor',
  '(studio)/studio/(inside)/[project]/posts/letters/actions.ts#sendLetter': 'editor',
  '(studio)/studio/(inside)/[project]/posts/letters/actions.ts#cancelLetter': 'editor',
  '(studio)/studio/(inside)/[project]/posts/redirects/actions.ts#addRedirect': 'admin',
  '(studio)/studio/(inside)/[project]/posts/redirects/actions.ts#removeRedirect': 'admin',
  '(studio)/studio/(inside)/[project]/posts/site/actions.ts#saveSite': 'admin',
  '(studio)/studio/(inside)/[project]/settings/analytics/change-analytics.ts#changeUnits': 'admin',
  '(studio)/studio/(inside)/[project]/settings/analytics/change-analytics.ts#changeInternalUsers': 'admin',
  '(studio)/studio/(inside)/[project]/settings/analytics/change-analytics.ts#changeVisits': 'admin',
  '(studio)/studio/(inside)/[project]/settings/analytics/change-analytics.ts#changePageGroups': 'admin',
  '(studio)/studio/(inside)/[project]/settings/collection/change-collection.ts#changeCollection': 'admin',
  '(studio)/studio/(inside)/[project]/settings/events/define.ts#define': 'editor',
  '(studio)/studio/(inside)/[project]/settings/general.ts#changeProject': 'admin',
  '(studio)/studio/(inside)/[project]/settings/general.ts#renewWriteKey': 'admin',
  '(studio)/studio/(inside)/[project]/settings/general.ts#archiveProject': 'owner',
  '(studio)/studio/(inside)/[project]/settings/general.ts#restoreProject': 'owner',
  '(studio)/studio/(inside)/[project]/settings/import/import-actions.ts#previewUpload': 'admin',
  '(studio)/studio/(inside)/[project]/settings/import/import-actions.ts#startImport': 'admin',
  '(studio)/studio/(inside)/[project]/settings/import/import-actions.ts#discardUpload': 'admin',
  '(studio)/studio/(inside)/[project]/settings/import/import-actions.ts#undoImport': 'admin',
  '(studio)/studio/(inside)/[project]/settings/keys/keys.ts#createKey': 'admin',
  '(studio)/studio/(inside)/[project]/settings/keys/keys.ts#revokeKey': 'admin',
  '(studio)/studio/(inside)/[project]/settings/members/members.ts#changeRole': 'admin',
  '(studio)/studio/(inside)/[project]/settings/members/members.ts#removeMember': 'admin',
  '(studio)/studio/(inside)/[project]/settings/members/members.ts#leaveProject': 'viewer',
  '(studio)/studio/(inside)/[project]/settings/members/members.ts#invite': 'admin',
  '(studio)/studio/(inside)/[project]/settings/members/members.ts#revokeInvitation': 'admin',
  '(studio)/studio/(inside)/[project]/settings/retention/change-retention.ts#changeRetention': 'admin',
  '(studio)/studio/(inside)/[project]/settings/system/check.ts#checkNow': 'admin',
  '(studio)/studio/(inside)/[project]/surveys/actions.ts#createSurvey': 'editor',
  '(studio)/studio/(inside)/[project]/surveys/actions.ts#createFromTemplate': 'editor',
  '(studio)/studio/(inside)/[project]/surveys/actions.ts#saveSurvey': 'editor',
  '(studio)/studio/(inside)/[project]/surveys/actions.ts#reloadSurvey': 'viewer',
  '(studio)/studio/(inside)/[project]/surveys/actions.ts#duplicateSurvey': 'editor',
  '(studio)/studio/(inside)/[project]/surveys/actions.ts#archiveSurvey': 'editor',
  '(studio)/studio/(inside)/[project]/surveys/actions.ts#restoreSurvey': 'editor',
  '(studio)/studio/(inside)/[project]/surveys/actions.ts#launchSurvey': 'editor',
  '(studio)/studio/(inside)/[project]/surveys/actions.ts#stopSurvey': 'editor',
  '(studio)/studio/(inside)/[project]/surveys/actions.ts#resumeSurvey': 'editor',
  '(studio)/studio/(inside)/[project]/surveys/actions.ts#removeResponse': 'editor',
  '(studio)/studio/(inside)/[project]/surveys/actions.ts#restoreResponse': 'editor',
  '(studio)/studio/(inside)/[project]/surveys/actions.ts#tagResponse': 'editor',
  '(studio)/studio/(inside)/[project]/surveys/actions.ts#countSurveyAudience': 'viewer',
  '(studio)/studio/(inside)/[project]/surveys/share/actions.ts#createLinks': 'editor',
  '(studio)/studio/(inside)/[project]/surveys/share/actions.ts#revokeLink': 'editor',
  '(studio)/studio/(inside)/[project]/surveys/share/actions.ts#saveRecipients': 'editor',
  '(studio)/studio/(inside)/[project]/surveys/share/actions.ts#setWebhook': 'editor',
  '(studio)/studio/(inside)/[project]/surveys/share/actions.ts#removeWebhook': 'editor',
  '(studio)/studio/(inside)/[project]/surveys/share/actions.ts#testWebhook': 'editor',
  '(studio)/studio/(inside)/[project]/surveys/share/actions.ts#previewLetters': 'editor',
  '(studio)/studio/(inside)/[project]/surveys/share/actions.ts#sendLetters': 'editor',
  '(studio)/studio/(inside)/[project]/web/changes.ts#saveSegment': 'editor',
  '(studio)/studio/(inside)/[project]/web/changes.ts#removeSegment': 'editor',
  '(studio)/studio/(inside)/[project]/web/changes.ts#saveGoal': 'editor',
  '(studio)/studio/(inside)/[project]/web/changes.ts#removeGoal': 'editor',
  '(studio)/studio/(inside)/account/account.ts#changeAccount': 'stranger',
  '(studio)/studio/(inside)/account/account.ts#changePassword': 'stranger',
  '(studio)/studio/(inside)/account/account.ts#endSession': 'stranger',
  '(studio)/studio/(inside)/account/account.ts#endOtherSessions': 'stranger',
  '(studio)/studio/(inside)/account/security/security.ts#beginApp': 'stranger',
  '(studio)/studio/(inside)/account/security/security.ts#confirmApp': 'stranger',
  '(studio)/studio/(inside)/account/security/security.ts#removeApp': 'stranger',
  '(studio)/studio/(inside)/account/security/security.ts#renewRecoveryCodes': 'stranger',
  '(studio)/studio/(inside)/account/security/security.ts#beginPasskey': 'stranger',
  '(studio)/studio/(inside)/account/security/security.ts#addPasskey': 'stranger',
  '(studio)/studio/(inside)/account/security/security.ts#removePasskey': 'stranger',
  '(studio)/studio/(inside)/account/security/security.ts#beginLink': 'stranger',
  '(studio)/studio/(inside)/installation/installation.ts#requireSecondFactor': 'owner',
  '(studio)/studio/(inside)/installation/installation.ts#requireSecondFactorIn': 'admin',
  '(studio)/studio/(inside)/projects/new/create-project.ts#createProject': 'owner',
}

type Tokens = Readonly<Record<Caller, string | undefined>>
let template: string
let tokens: Tokens
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
  const viewer = present(await product.sessions.viewer(owner.token, testOrigin))
  const invited = requireDone(await product.invitations.create(other.id, { role: 'owner' }, operator()))
  requireDone(await product.invitations.accept(invited.token, viewer))
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

/** What an action is given, by the names of its parameters: the project is real, and nothing else. */
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

/** Those that the product says to one who may not. */
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

describe('server actions', () => {
  test('all have a row that says who may call them', () => {
    expect(files.filter(({ hasInline }) => hasInline)).toEqual([])
    expect(Object.keys(least).toSorted()).toEqual(actions.map(({ key }) => key).toSorted())
  })

  test.each(actions)(
    '$key refuses those who may not, and changes nothing for them',
    async ({ path, name, key }) => {
      const { product, folder } = await openTestProduct({ like: template })
      const database = new DatabaseSync(join(folder, 'store.db'))
      const globals = globalThis as { [symbol: symbol]: unknown }
      globals[productSymbol] = product
      onTestFinished(() => {
        database.close()
        delete globals[productSymbol]
      })
      // it counts what other connections commit
      const version = () => database.prepare('PRAGMA data_version').get()
      const exported: Record<string, Action> = await import(join(import.meta.dirname, path))
      const passed: Caller[] = []
      for (const caller of callers) {
        token = tokens[caller]
        const before = version()
        if (!(await isRefused(present(exported[name])))) passed.push(caller)
        else expect(version(), `changed by ${caller}`).toEqual(before)
      }
      expect(passed).toEqual(callers.slice(callers.indexOf(present(least[key]))))
    },
  )
})

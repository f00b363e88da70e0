'use client'

import { lazy, type ReactNode, Suspense } from 'react'
import { type Flag, type FlagKind, isForBrowsersOnly, mainEnvironment } from '#flags/flag'
import { differences } from '#flags/differences'
import { type ConditionLabels, rolloutInWords } from '#flags/words'
import { Panel } from '#ui/page/Panel'
import { Skeleton } from '#ui/page/Skeleton'
import { SegmentedControl } from '#ui/form/SegmentedControl'
import { problemsByField } from '#studio/parts/action-result'
import { ChangedMeanwhile } from '#studio/parts/ChangedMeanwhile'
import { SaveBar } from '#studio/parts/SaveBar'
import { useVersionedDraft } from '#studio/parts/use-versioned-draft'
import { flagSwitchConfirmation, type FlagSwitchRequest } from '../ConfirmFlagSwitch'
import { reloadFlag, saveFlag } from '../actions'
import { changeableOf, changeOf, draftOf, type FlagDraft, ofKind, whyNotYet } from './draft'
import { type EditorChoices, namesIn } from './editor-choices'
import { kindOptions } from './kinds'
import { SettingFields } from './SettingFields'
import { ValueFields } from './ValueFields'

const SecretValue = lazy(async () => ({ default: (await import('./SecretValue')).SecretValue }))
/** Beside and below the rules, and loaded after them. */
const AboutFields = lazy(async () => ({ default: (await import('./AboutFields')).AboutFields }))
const DecisionFields = lazy(async () => ({ default: (await import('./DecisionFields')).DecisionFields }))
const EarlyAccessFields = lazy(async () => ({
  default: (await import('./EarlyAccessFields')).EarlyAccessFields,
}))

interface FlagEditorProps {
  flag: Flag
  environment: string
  choices: EditorChoices
  whyNot: string | undefined
  whyNotReveal: string | undefined
  /** Why server SDKs request the saved flag each time. */
  whyNotLocal: string | undefined
  /** Schedules and guards, which are saved separately. */
  children: ReactNode
}

/** Edits a flag: its audience, its values, and a summary of the unsaved changes. */
export function FlagEditor({ flag, environment, choices, children, ...reasons }: FlagEditorProps) {
  const { whyNot, whyNotReveal, whyNotLocal } = reasons
  const editing = useFlagDraft(choices.slug, flag, namesIn(choices))
  const { base, draft, change, otherChange } = editing
  const turning = switchRequestOf(base, draft, namesIn(choices))

  return (
    <div className="flex flex-col gap-5">
      <ChangedMeanwhile noun="flag" otherChange={otherChange} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <SettingFields draft={draft} environment={environment} onChange={change} choices={choices}>
            <Panel title="Value">
              <KindFields draft={draft} onChange={change} />
              {draft.isSecret && flag.isSecret && (
                <Suspense>
                  <SecretValue
                    slug={choices.slug}
                    flagKey={flag.key}
                    environment={environment}
                    whyNot={whyNotReveal}
                  />
                </Suspense>
              )}
            </Panel>
          </SettingFields>
          {children}
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <Panel title="About">
            <Suspense fallback={<Skeleton className="h-40 w-full" />}>
              <AboutFields draft={draft} onChange={change} choices={choices} />
            </Suspense>
          </Panel>
          <Panel title="Evaluation">
            <Suspense fallback={<Skeleton className="h-40 w-full" />}>
              <DecisionFields draft={draft} onChange={change} choices={choices} />
            </Suspense>
            <WhereDecided flag={flag} whyNotLocal={whyNotLocal} />
          </Panel>
          <Panel title="Early access">
            <Suspense fallback={<Skeleton className="h-40 w-full" />}>
              <EarlyAccessFields draft={draft} onChange={change} />
            </Suspense>
          </Panel>
        </div>
      </div>
      <SaveBar
        editing={editing}
        whyNot={whyNot ?? whyNotYet(draft)}
        hasNote
        question={turning && flagSwitchConfirmation(turning)}
      />
    </div>
  )
}

const useFlagDraft = (slug: string, flag: Flag, names: ConditionLabels) =>
  useVersionedDraft<Flag, FlagDraft>(flag, {
    draftOf,
    differencesOf: (before, after) => differences(changeableOf(before), changeableOf(after), names),
    isNewer: (one, other) => one.version > other.version,
    save: async (draft, { key, version }, { note }) =>
      subjectOf(await saveFlag(slug, key, { ...changeOf(draft), version, ...(note !== '' && { note }) })),
    reload: async ({ key }) => subjectOf(await reloadFlag(slug, key)),
    problemsIn: (problems) => problemsByField(problems),
    savedMessage: ({ key }) => `${key} saved`,
  })

const subjectOf = (answer: Awaited<ReturnType<typeof reloadFlag>>) =>
  answer.done ? { done: true as const, subject: answer.flag } : answer

/** The change for visitors of the main environment that saving would begin or end; undefined if there is none. */
function switchRequestOf(
  { key, environments }: Flag,
  draft: FlagDraft,
  names: ConditionLabels,
): FlagSwitchRequest | undefined {
  const setting = changeableOf(draft).environments[mainEnvironment]
  const isOnBefore = environments[mainEnvironment]?.isOn ?? false
  if (!setting || setting.isOn === isOnBefore) return undefined
  const rollout = rolloutInWords(draft.kind, setting, names)
  return { flagKey: key, environment: mainEnvironment, isOn: setting.isOn, rollout }
}

function KindFields({ draft, onChange }: { draft: FlagDraft; onChange: (part: Partial<FlagDraft>) => void }) {
  return (
    <div className="flex flex-col gap-4">
      {!draft.isSecret && (
        <div>
          <SegmentedControl<FlagKind>
            label="Type"
            options={kindOptions}
            value={draft.kind}
            onChange={(kind) => onChange(ofKind(draft, kind))}
          />
        </div>
      )}
      <ValueFields draft={draft} onChange={onChange} />
    </div>
  )
}

/** SDKs on servers with a secret key evaluate the flag locally if the result is the same as Tilth's. */
function WhereDecided({ flag, whyNotLocal }: Pick<FlagEditorProps, 'flag' | 'whyNotLocal'>) {
  if (isForBrowsersOnly(flag)) return null
  return (
    <p className="mt-4 border-t border-line pt-3 text-xs text-pretty text-muted">
      {whyNotLocal === undefined
        ? 'Evaluated locally by server SDKs with a secret key.'
        : `Not evaluated locally. ${whyNotLocal}`}
    </p>
  )
}

'use client'

import type { ReactNode } from 'react'
import type { Flag, FlagKind } from '../../../../../../../flags/flag'
import { Button } from '../../../../../../../ui/Button'
import { Notice } from '../../../../../../../ui/Notice'
import { Panel } from '../../../../../../../ui/Panel'
import { SegmentedControl } from '../../../../../../../ui/SegmentedControl'
import { AboutFields } from './AboutFields'
import { DecisionFields } from './DecisionFields'
import { type FlagDraft, ofKind, whyNotYet } from './draft'
import { EarlyAccessFields } from './EarlyAccessFields'
import { type EditorGround, namesIn } from './ground'
import { kindOptions } from './kinds'
import { SaveBar } from './SaveBar'
import { SecretValue } from './SecretValue'
import { SettingFields } from './SettingFields'
import { useFlagDraft } from './use-flag-draft'
import { ValueFields } from './ValueFields'

interface FlagEditorProps {
  flag: Flag
  environment: string
  ground: EditorGround
  whyNot: string | undefined
  whyNotReveal: string | undefined
  /** Why servers ask about it each time, as it is kept now. */
  whyNotLocal: string | undefined
  /** What is planned and guarded, kept by itself. */
  children: ReactNode
}

/** A flag as it is decided: who gets it on one side, what it is on the other, and what would change below. */
export function FlagEditor({ flag, environment, ground, children, ...reasons }: FlagEditorProps) {
  const { whyNot, whyNotReveal, whyNotLocal } = reasons
  const editing = useFlagDraft(ground.slug, flag, namesIn(ground))
  const { draft, change } = editing

  return (
    <div className="flex flex-col gap-5">
      {editing.theirs && <Meanwhile {...editing.theirs} />}
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <SettingFields draft={draft} environment={environment} onChange={change} ground={ground}>
            <Panel title="What it says">
              <KindFields draft={draft} onChange={change} />
              {draft.isSecret && flag.isSecret && (
                <SecretValue
                  slug={ground.slug}
                  flagKey={flag.key}
                  environment={environment}
                  whyNot={whyNotReveal}
                />
              )}
            </Panel>
          </SettingFields>
          {children}
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <Panel title="About">
            <AboutFields draft={draft} onChange={change} ground={ground} />
          </Panel>
          <Panel title="How it is decided">
            <DecisionFields draft={draft} onChange={change} ground={ground} />
            <WhereDecided flag={flag} whyNotLocal={whyNotLocal} />
          </Panel>
          <Panel title="Early access">
            <EarlyAccessFields draft={draft} onChange={change} />
          </Panel>
        </div>
      </div>
      <SaveBar
        lines={editing.lines}
        problems={editing.problems}
        isPending={editing.isPending}
        whyNot={whyNot ?? whyNotYet(draft)}
        note={editing.note}
        onNote={editing.setNote}
        onSave={editing.save}
        onDiscard={editing.discard}
      />
    </div>
  )
}

function KindFields({ draft, onChange }: { draft: FlagDraft; onChange: (part: Partial<FlagDraft>) => void }) {
  return (
    <div className="flex flex-col gap-4">
      {!draft.isSecret && (
        <div>
          <SegmentedControl<FlagKind>
            label="Kind"
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

/** Servers’ SDKs that hold a secret key decide by themselves where they would decide as Tilth does. */
function WhereDecided({ flag: { servedTo }, whyNotLocal }: Pick<FlagEditorProps, 'flag' | 'whyNotLocal'>) {
  if (servedTo === 'browsers') return null
  return (
    <p className="mt-4 border-t border-line pt-3 text-xs text-pretty text-muted">
      {whyNotLocal === undefined
        ? 'Servers with a secret key decide it by themselves, without asking.'
        : `Servers ask each time. ${whyNotLocal}`}
    </p>
  )
}

/** Somebody else has saved it while it was open here. */
function Meanwhile({
  lines,
  take,
  keepMine,
}: {
  lines: readonly string[]
  take: () => void
  keepMine: () => void
}) {
  return (
    <Notice
      tone="warning"
      urgent
      title="Somebody else changed this flag meanwhile"
      action={
        <>
          <Button size="sm" onClick={take}>
            Take theirs
          </Button>
          <Button size="sm" onClick={keepMine}>
            Keep mine
          </Button>
        </>
      }
    >
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Notice>
  )
}

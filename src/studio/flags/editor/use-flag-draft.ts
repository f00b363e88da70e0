'use client'

import { useState, useTransition } from 'react'
import { differences } from '#flags/differences'
import { type Flag, mainEnvironment } from '#flags/flag'
import type { ConditionLabels } from '#flags/words'
import { useToast } from '#ui/overlay/Toast'
import { withNetworkErrors } from '#studio/parts/with-network-errors'
import { reloadFlag, saveFlag } from '../actions'
import { changeableOf, draftOf, type FlagDraft } from './draft'

/** A flag as it was opened, the draft of it, and the version that another member saved meanwhile. */
export function useFlagDraft(slug: string, flag: Flag, names: ConditionLabels) {
  const [base, setBase] = useState(flag)
  const [draft, setDraft] = useState(() => draftOf(flag))
  const [theirs, setTheirs] = useState<Flag>()
  const [note, setNote] = useState('')
  const [problems, setProblems] = useState<string[]>([])
  const [isPending, startTransition] = useTransition()
  const showToast = useToast()
  const lines = differences(base, changeableOf(draft), names)

  function adopt(next: Flag) {
    setBase(next)
    setDraft(draftOf(next))
    setTheirs(undefined)
    setNote('')
    setProblems([])
  }

  if (flag.version > base.version && flag.version !== theirs?.version) {
    if (lines.length === 0) adopt(flag)
    else setTheirs(flag)
  }

  const save = () =>
    startTransition(async () => {
      const answer = await withNetworkErrors(() =>
        saveFlag(slug, flag.key, {
          ...inputOf(draft, base),
          ...(note.trim() !== '' && { note: note.trim() }),
        }),
      )
      if (answer.done) {
        adopt(answer.flag)
        return showToast({ title: `${flag.key} saved`, tone: 'success' })
      }
      const newest = await withNetworkErrors(() => reloadFlag(slug, flag.key))
      if (newest.done && newest.flag.version > base.version) return setTheirs(newest.flag)
      setProblems(answer.problems.map(({ message }) => message))
    })

  return {
    draft,
    change: (part: Partial<FlagDraft>) => setDraft((before) => ({ ...before, ...part })),
    lines,
    /** In the main environment, as it was opened. */
    isOnBefore: base.environments[mainEnvironment]?.isOn ?? false,
    note,
    setNote,
    problems,
    isPending,
    save,
    discard: () => adopt(theirs ?? base),
    theirs: theirs && {
      version: theirs.version,
      lines: differences(base, theirs, names),
      take: () => adopt(theirs),
      /** What is written here is held against theirs from now on. */
      keepMine: () => {
        setBase(theirs)
        setTheirs(undefined)
      },
    },
  }
}

/** Nothing where something was is said to the product as null. */
function inputOf(draft: FlagDraft, { version }: Flag) {
  const { environments, earlyAccess, ...parts } = changeableOf(draft)
  return {
    ...parts,
    earlyAccess: earlyAccess ?? null,
    environments: Object.fromEntries(
      Object.entries(environments).map(([name, { holdout, layer, ...setting }]) => [
        name,
        { ...setting, holdout: holdout ?? null, layer: layer ?? null },
      ]),
    ),
    version,
  }
}

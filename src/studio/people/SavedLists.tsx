'use client'

import { ChevronDown, List } from 'lucide-react'
import { useState } from 'react'
import { useNavigation } from '#ui/navigation/Navigation'
import { Button } from '#ui/Button'
import { deferred } from '#ui/deferral/deferred'
import { WhenOpened } from '#ui/deferral/WhenOpened'
import { Icon } from '#ui/Icon'
import { Menu, type MenuEntry } from '#ui/overlay/Menu'
import { type PeopleFilter, paths } from '#studio/paths'
import { useDirectChange } from '#studio/parts/Change'
import { removePersonList, updatePersonList } from './list-actions'

export interface SavedList {
  id: string
  name: string
  isShared: boolean
  /** The list's address parameters, without the list itself. */
  question: PeopleFilter
}

const newList = deferred(async () => (await import('./NewList')).NewList)

interface SavedListsProps {
  slug: string
  question: PeopleFilter
  lists: readonly SavedList[]
  /** Why lists cannot be saved; undefined if they can. */
  whyNot: string | undefined
}

/** Saved lists of persons: chosen, saved, updated and removed. */
export function SavedLists({ slug, question, lists, whyNot }: SavedListsProps) {
  const navigation = useNavigation()
  const [isSaving, setSaving] = useState(false)
  const { make, question: passwordDialog } = useDirectChange()
  const current = lists.find(({ id }) => id === question.list)
  const isChanged = current !== undefined && !isSame(slug, question, current.question)
  const changes: MenuEntry[] = [
    ...(current && isChanged
      ? [
          {
            label: `Save changes to ${current.name}`,
            onSelect: () =>
              make(() => updatePersonList(slug, current.id, question), { saved: `${current.name} saved` }),
          },
        ]
      : []),
    { label: 'Save as new list…', onSelect: () => setSaving(true) },
    ...(current
      ? [
          {
            label: `Remove ${current.name}`,
            onSelect: () =>
              make(() => removePersonList(slug, current.id), {
                saved: `${current.name} removed`,
                onDone: () => navigation.push(paths.people(slug, { ...question, list: undefined })),
              }),
          },
        ]
      : []),
  ]

  return (
    <>
      <Menu
        trigger={
          <Button
            icon={<Icon of={List} className="text-faint" />}
            iconEnd={<Icon of={ChevronDown} size="sm" className="text-faint" />}
          >
            <bdi className="max-w-48 truncate">{current ? current.name : 'Lists'}</bdi>
            {isChanged && <span className="text-muted"> · edited</span>}
          </Button>
        }
        entries={
          whyNot === undefined
            ? [...linksTo(slug, lists), { kind: 'separator' }, ...changes]
            : linksTo(slug, lists)
        }
      />
      {passwordDialog}
      <WhenOpened isOpen={isSaving} load={newList} onFailure={() => setSaving(false)}>
        {(NewList) => (
          <NewList slug={slug} question={question} open={isSaving} onClose={() => setSaving(false)} />
        )}
      </WhenOpened>
    </>
  )
}

function linksTo(slug: string, lists: readonly SavedList[]): MenuEntry[] {
  const group = (label: string, isShared: boolean): MenuEntry[] => {
    const own = lists.filter((list) => list.isShared === isShared)
    return own.length > 0 ? [{ kind: 'group', label, entries: own.map((list) => linkTo(slug, list)) }] : []
  }
  return [
    { kind: 'link', label: 'All people', href: paths.people(slug) },
    ...group('Project lists', true),
    ...group('Your lists', false),
  ]
}

const linkTo = (slug: string, { id, name, question }: SavedList): MenuEntry => ({
  kind: 'link',
  label: name,
  href: paths.people(slug, { ...question, list: id }),
})

const isSame = (slug: string, one: PeopleFilter, other: PeopleFilter): boolean =>
  paths.people(slug, comparable(one)) === paths.people(slug, comparable(other))

/** In one order, without what is no part of a list. */
const comparable = ({ period, search, cohort, filter, sort, up, columns }: PeopleFilter): PeopleFilter => ({
  period,
  search,
  cohort,
  filter,
  sort,
  up,
  columns,
})

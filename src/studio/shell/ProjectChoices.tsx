import { Check, Plus, Search } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { Anchor } from '#ui/Anchor'
import { Badge } from '#ui/Badge'
import { Icon } from '#ui/Icon'
import { TextInput } from '#ui/form/TextInput'
import { paths } from '#studio/paths'
import type { ProjectSwitcherProps } from './ProjectSwitcher'
import type { ShellProject } from './shell'

/** The projects to choose from. */
export function ProjectChoices({
  projects,
  current,
  mayCreate,
  close,
}: ProjectSwitcherProps & { close: () => void }) {
  const [typed, setTyped] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const found = projects.filter(({ name, slug }) => includes(name, typed) || includes(slug, typed))

  return (
    // Arrow keys lead from the box through the links; each of them is reached by Tab as well.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={list} onKeyDown={(event) => moveAmongLinks(event, list.current)} className="flex w-68 flex-col">
      <div className="border-b border-line p-2">
        <TextInput
          aria-label="Find a project"
          placeholder="Find a project…"
          icon={<Icon of={Search} size="sm" />}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      <ul className="max-h-80 overflow-y-auto p-1">
        {found.map((project) => (
          <li key={project.slug}>
            <ProjectLink project={project} isCurrent={project.slug === current?.slug} close={close} />
          </li>
        ))}
        {found.length === 0 && <li className="px-2 py-3 text-muted">No matching projects.</li>}
      </ul>
      {mayCreate && (
        <div className="border-t border-line p-1">
          <Anchor href={paths.newProject} onClick={close} className={choiceClass}>
            <Icon of={Plus} className="text-faint" />
            New project
          </Anchor>
        </div>
      )}
    </div>
  )
}

const choiceClass =
  'flex min-h-8 items-center gap-2 rounded-md px-2 py-1 hover:bg-hover focus-visible:bg-hover focus-visible:-outline-offset-2'

function ProjectLink({
  project: { slug, name, isArchived },
  isCurrent,
  close,
}: {
  project: ShellProject
  isCurrent: boolean
  close: () => void
}) {
  return (
    <Anchor
      href={paths.project(slug)}
      onClick={close}
      aria-current={isCurrent ? 'true' : undefined}
      className={choiceClass}
    >
      <span className="min-w-0 grow truncate font-medium">{name}</span>
      {isArchived && <Badge>Archived</Badge>}
      {isCurrent && <Icon of={Check} className="text-accent-ink" />}
    </Anchor>
  )
}

const includes = (text: string, typed: string) => text.toLowerCase().includes(typed.trim().toLowerCase())

function moveAmongLinks(event: KeyboardEvent, list: HTMLElement | null) {
  const links = [...(list?.querySelectorAll<HTMLElement>('input, a') ?? [])]
  const here = links.findIndex((link) => link === document.activeElement)
  if (event.key === 'Enter' && here === 0) return links[1]?.click()
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  event.preventDefault()
  links[(here + step + links.length) % links.length]?.focus()
}

'use client'

import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { TextInput } from '#ui/form/TextInput'
import type { SiteLink } from '#posts/site'

interface LinkRowsProps {
  title: string
  /** The noun in sentences: "link of the navigation". */
  noun: string
  links: readonly SiteLink[]
  most: number
  placeholder: string
  error?: string | undefined
  onChange: (links: SiteLink[]) => void
}

/** Links in an order that is changed without a mouse: each moves by its own buttons. */
export function LinkRows({ title, noun, links, most, placeholder, error, onChange }: LinkRowsProps) {
  const list = useRef<HTMLOListElement>(null)

  /** Moves a link and keeps the focus on it. */
  function move(from: number, to: number) {
    const moved = links[from]
    if (!moved) return
    flushSync(() => onChange(links.toSpliced(from, 1).toSpliced(to, 0, moved)))
    const name = to < from ? 'up' : 'down'
    list.current?.children[to]?.querySelector<HTMLElement>(`[data-moves=${name}]`)?.focus()
  }

  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h3 className="font-medium">{title}</h3>
      <ol ref={list} className="flex flex-col gap-2 empty:hidden">
        {links.map((link, index) => (
          <LinkRow
            // links have nothing that names them but their place
            key={index}
            link={link}
            label={`${noun} ${index + 1}`}
            placeholder={placeholder}
            isFirst={index === 0}
            isLast={index === links.length - 1}
            onChange={(next) => onChange(links.with(index, next))}
            onMove={(by) => move(index, index + by)}
            onRemove={() => onChange(links.toSpliced(index, 1))}
          />
        ))}
      </ol>
      {error && <p className="text-xs text-danger-ink">{error}</p>}
      <div>
        <Button
          size="sm"
          icon={<Icon of={Plus} />}
          disabledReason={links.length >= most ? `At most ${most}.` : undefined}
          onClick={() => onChange([...links, { label: '', address: '' }])}
        >
          Add a {noun}
        </Button>
      </div>
    </section>
  )
}

interface LinkRowProps {
  link: SiteLink
  label: string
  placeholder: string
  isFirst: boolean
  isLast: boolean
  onChange: (link: SiteLink) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

function LinkRow({ link, label, placeholder, isFirst, isLast, onChange, onMove, onRemove }: LinkRowProps) {
  return (
    <li className="flex items-start gap-1.5 max-sm:flex-wrap">
      <div className="w-full sm:w-40">
        <TextInput
          aria-label={`Text of ${label}`}
          placeholder="Text"
          value={link.label}
          onChange={({ target }) => onChange({ ...link, label: target.value })}
        />
      </div>
      <div className="min-w-0 grow">
        <TextInput
          mono
          aria-label={`URL of ${label}`}
          placeholder={placeholder}
          autoCapitalize="off"
          spellCheck={false}
          value={link.address}
          onChange={({ target }) => onChange({ ...link, address: target.value })}
        />
      </div>
      <span className="flex">
        <IconButton
          data-moves="up"
          label={`Move ${label} up`}
          icon={<Icon of={ArrowUp} />}
          disabledReason={isFirst ? 'Already first.' : undefined}
          onClick={() => onMove(-1)}
        />
        <IconButton
          data-moves="down"
          label={`Move ${label} down`}
          icon={<Icon of={ArrowDown} />}
          disabledReason={isLast ? 'Already last.' : undefined}
          onClick={() => onMove(1)}
        />
        <IconButton label={`Remove ${label}`} icon={<Icon of={X} />} onClick={onRemove} />
      </span>
    </li>
  )
}

'use client'

import { Plus, X } from 'lucide-react'
import { Button } from '#ui/Button'
import { TextInput } from '#ui/form/TextInput'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import type { SiteSettings } from '#posts/site'

const most = 20

/** Meta elements of every page. A whole element may be pasted as a name. */
export function MetaTagRows({
  tags,
  error,
  onChange,
}: {
  tags: readonly MetaTag[]
  error: string | undefined
  onChange: (tags: MetaTag[]) => void
}) {
  return (
    <div className="flex flex-col gap-2">
      <ul className="flex flex-col gap-2 empty:hidden">
        {tags.map((tag, index) => (
          <li
            // a tag has no key but its place
            key={index}
            className="flex items-start gap-1.5 max-sm:flex-wrap"
          >
            <div className="w-full sm:w-64">
              <TextInput
                mono
                aria-label={`Name of meta tag ${index + 1}`}
                placeholder="google-site-verification"
                autoCapitalize="off"
                spellCheck={false}
                value={tag.name}
                onChange={({ target: { value } }) =>
                  onChange(tags.with(index, metaTagIn(value) ?? { ...tag, name: value }))
                }
              />
            </div>
            <div className="min-w-0 grow">
              <TextInput
                mono
                aria-label={`Content of meta tag ${index + 1}`}
                autoCapitalize="off"
                spellCheck={false}
                value={tag.content}
                onChange={({ target }) => onChange(tags.with(index, { ...tag, content: target.value }))}
              />
            </div>
            <IconButton
              label={`Remove meta tag ${index + 1}`}
              icon={<Icon of={X} />}
              onClick={() => onChange(tags.toSpliced(index, 1))}
            />
          </li>
        ))}
      </ul>
      {error && <p className="text-xs text-danger-ink">{error}</p>}
      <div>
        <Button
          size="sm"
          icon={<Icon of={Plus} />}
          disabledReason={tags.length >= most ? `At most ${most}.` : undefined}
          onClick={() => onChange([...tags, { name: '', content: '' }])}
        >
          Add meta tag
        </Button>
      </div>
    </div>
  )
}

type MetaTag = SiteSettings['metaTags'][number]

/** The name and the content of a whole meta element, as search engines give them out to be pasted. */
export function metaTagIn(text: string): MetaTag | undefined {
  const element = /^\s*<meta\s([^>]*?)\/?>\s*$/i.exec(text)?.[1]
  if (element === undefined) return undefined
  const attribute = (name: string): string | undefined => {
    const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(element)
    return found?.[1] ?? found?.[2]
  }
  const [name, content] = [attribute('name'), attribute('content')]
  return name && content ? { name, content } : undefined
}

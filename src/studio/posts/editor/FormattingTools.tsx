'use client'

import { Blocks, ImagePlus } from 'lucide-react'
import { Fragment, type ReactNode, type RefObject } from 'react'
import { blockList } from '#posts/blocks'
import { Icon } from '#ui/Icon'
import { Menu } from '#ui/overlay/Menu'
import { Toolbar, ToolbarButton, ToolbarSeparator } from '#ui/page/Toolbar'
import { blockLabel } from './blocks/block-kinds'
import { type MarkdownCommand, paragraph } from './markdown-edits'
import { tools } from './toolbar'

interface FormattingToolsProps {
  /** The field that gets the focus after a choice. */
  field: RefObject<HTMLTextAreaElement | null>
  onPress: (command: MarkdownCommand) => void
  onImage: () => void
  /** Further buttons, at the end. */
  children?: ReactNode
}

export function FormattingTools({ field, onPress, onImage, children }: FormattingToolsProps) {
  return (
    <Toolbar label="Formatting">
      {tools.map((group, index) => (
        <Fragment key={group[0]?.label}>
          {index > 0 && <ToolbarSeparator />}
          {group.map(({ label, icon, shortcut, command }) => (
            <ToolbarButton
              key={label}
              size="sm"
              label={label}
              shortcut={shortcut}
              icon={<Icon of={icon} />}
              onClick={() => onPress(command)}
            />
          ))}
        </Fragment>
      ))}
      <ToolbarSeparator />
      <ToolbarButton size="sm" label="Images…" icon={<Icon of={ImagePlus} />} onClick={onImage} />
      <Menu
        align="end"
        finalFocus={field}
        trigger={<ToolbarButton size="sm" label="Blocks" icon={<Icon of={Blocks} />} />}
        entries={blockList.map(({ name, does, example }) => ({
          label: blockLabel(name),
          hint: does.replaceAll('`', ''),
          onSelect: () => onPress(paragraph(example)),
        }))}
      />
      {children}
    </Toolbar>
  )
}

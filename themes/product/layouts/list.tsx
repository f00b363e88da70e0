import type { ListLayoutProps } from '@tilth/site'

export default function List({ head, children, pager, search }: ListLayoutProps) {
  return (
    <div className="column wide">
      {head}
      {children}
      {pager}
      {search}
    </div>
  )
}

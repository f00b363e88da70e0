import { Loading, Skeleton } from '../../../../../../ui/Skeleton'

export default function SettingsLoading() {
  return (
    <Loading>
      <Skeleton className="h-72 w-full rounded-lg" />
    </Loading>
  )
}

export { metadata, SystemPage as default } from '#studio/settings/system/SystemPage'

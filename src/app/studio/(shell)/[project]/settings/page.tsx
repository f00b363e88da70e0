export { metadata, GeneralPage as default } from '#studio/settings/GeneralPage'

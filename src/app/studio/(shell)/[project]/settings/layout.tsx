export { SettingsLayout as default } from '#studio/settings/SettingsLayout'

/** The languages that opt-outs are read in. */
import type { OptOutLanguage } from "../OptOutLanguage.ts"
import { ar } from "./ar.ts"
import { da } from "./da.ts"
import { de } from "./de.ts"
import { en } from "./en.ts"
import { es } from "./es.ts"
import { fr } from "./fr.ts"
import { it } from "./it.ts"
import { ja } from "./ja.ts"
import { nl } from "./nl.ts"
import { no } from "./no.ts"
import { pl } from "./pl.ts"
import { pt } from "./pt.ts"
import { ru } from "./ru.ts"
import { sv } from "./sv.ts"
import { zh } from "./zh.ts"

export const languages: ReadonlyArray<OptOutLanguage> = [en, de, fr, es, it, pt, nl, sv, da, no, pl, ru, zh, ja, ar]

import type { WordTable } from './word-table.ts';

/** French, Spanish, Portuguese and Italian, without accents as most servers send them. Shared spellings stand once. */
export const ROMANCE = {
  DROP: `che hai raggiungere cercato_di  avez essaye_de essaye intentas acceder a_la_que a_la a_quien voce tentou la le les un une de du des est sont ete etre avec ce cet cette ces vous pour dans sur aux au
    el los las del uno una es fue ha sido han al este esta esa ese que se para en su sus lo ya
    os da dos das foi um uma  estao ao em seu sua nosso nossa
    il gli dei della dello delle degli di stato stata stati nel nella questo questa per tale alla all nell dell il_y_a hay con_ese com_este con_questo nome nombre nom de_ce risulta fu por_falta_de`,
  BOX: `cette_personne utilisateur utilisateurs destinataire destinataires compte comptes boite boites boite_aux_lettres boite_de_reception boite_mail
    boite_email boite_aux_lettres_electronique messagerie adresse_email adresse_mail adresse_electronique adresse_destinataire
    adresse_du_destinataire adresse_e_mail identifiant abonne correspondant
    usuario usuarios destinatario destinatarios cuenta cuentas cuenta_de_correo buzon buzones buzon_de_correo casilla casilla_de_correo direccion
    direcciones direccion_de_correo receptor
    utilizador conta contas conta_de_email conta_de_e_mail conta_de_correio caixa_postal caixa_de_correio caixa_de_entrada caixa endereco enderecos
    endereco_de_email endereco_de_e_mail correio_eletronico
    utente utenti casella caselle casella_di_posta casella_postale casella_email casella_mail indirizzo indirizzi indirizzo_email
    indirizzo_e_mail indirizzo_mail indirizzo_di_posta ricevente  persona pessoa collaborateur  empleado empleada funcionario dipendente casella_elettronica  buzon_electronico   direccion_electronica correo_electronico_destino nome_utente nombre_de_usuario nom_d_utilisateur adresses`,
  EMAIL: `posta_elettronica courriel courriels correo correio`,
  MSG: `mensaje mensajes mensagem mensagens messaggio messaggi posta`,
  SENDER: `votre_adresse votre_adresse_e_mail votre_adresse_email votre_adresse_mail votre_compte su_direccion_de_correo su_cuenta_de_correo seu_endereco  seu_e_mail tuo_indirizzo vostro_indirizzo tu_direccion tu_correo d_inconnus de_desconocidos de_desconhecidos da_sconosciuti expediteur expediteurs emetteur adresse_expediteur adresse_de_l_expediteur remitente remitentes remetente remetentes mittente mittenti
    domaine_expediteur domaine_de_l_expediteur dominio_del_remitente dominio_do_remetente dominio_del_mittente`,
  CLIENT: `votre_fournisseur votre_reseau seu_provedor su_proveedor vostro_provider tuo_server il_tuo_server tu_servidor connexion connexions votre_serveur votre_domaine conexion conexiones su_servidor servidor_remitente conexao conexoes seu_servidor
    connessione connessioni vostro_server  votre_hote serveur_emetteur`,
  IP: `adresse_ip adresse_ip_source direccion_ip endereco_ip indirizzo_ip su_ip votre_ip votre_adresse_ip seu_ip vostro_ip tuo_ip su_direccion_ip
    ip_source ip_origen ip_de_origen adresses_ip direcciones_ip`,
  HOST: `serveur serveurs servidor servidores hote`,
  DOMAIN: `domaine domaines dominio dominios domini`,
  SERVICE: `servicio servico servizio`,
  LIST: `liste_noire lista_negra lista_nera listes_noires listas_negras`,
  SPAM: `pourriel indesirable indesirables courrier_indesirable no_deseado correo_no_deseado indesejado abus abuso`,
  POLICY: `politique politiques politica politicas politiche regles_de_securite`,
  AUTH: `authentification authentifie autenticacion autenticarse autenticado autenticacao autenticar autenticazione autenticato identification`,
  TLS: `chiffrement cifrado criptografia crittografia`,
  MANY: `trop_de trop_d demasiados demasiadas muitos muitas troppi troppe`,
  GREY: `liste_grise lista_gris lista_cinza lista_cinzenta lista_grigia`,
  RATE: `trop_vite demasiado_rapido frecuencia frequence frequencia frequenza tasa excesso exces`,
  RELAY: `relais relayage retransmission reenvio retransmision`,
  REPUTE: `reputacion reputacao reputazione`,
  RDNS: `dns_inverse dns_inverso inverso_dns resolution_inverse resolucion_inversa reverso dns_reverso`,
  'not BOX': `nadie_con nadie_en nessuno_con nessuno_a ninguem_com personne_avec`,
  not: `nadie ninguem pas aucun aucune jamais ne_plus nunca ningun ninguna nao nenhum nenhuma  non nessun nessuno nessuna mai plus sans sin sem senza`,
  exist: `encuentra encuentran encontramos existe existent existante trouve trouvee trouves connu connue valide valides valable actif active disponible disponibles joignable reconnu reconnue
    existen encontrado encontrada encontro encontra conocido conocida valido valida activo activa registrado registrada
    existem conhecido conhecida ativo ativa disponivel localizado localizada cadastrado cadastrada
    esiste esistono esistente trovato trovata conosciuto conosciuta attivo attiva disponibile riconosciuto presente  vigente en_uso em_uso in_uso`,
  gone: `ne_travaille_plus ne_fait_plus_partie ya_no_esta ya_no_pertenece nao_pertence_mais non_fa_piu_parte  estinto estinta soppresso soppressa rimossi cessate resiliee fermes inhabilitados suspendidos inativos desabilitados desligado desligada jubilado pensionato retraite licenciado ex_dipendente inconnu inconnue inconnus inexistant inexistante inexistants desactive desactivee suspendu suspendue supprime supprimee ferme fermee
    expire expiree archivee inactif inactive resilie  cloture cloturee
    desconocido desconocida desconocidos inexistente inexistentes desactivado desactivada suspendido suspendida eliminado eliminada
    cerrado cerrada expirado expirada caducada caducado inactivo inactiva deshabilitado deshabilitada inhabilitado inhabilitada cancelada cancelado baja
    desconhecido desconhecida desativado desativada suspenso suspensa excluido excluida encerrado encerrada inativo inativa
    desabilitado desabilitada   removido removida
    sconosciuto sconosciuta sconosciuti disabilitato disabilitata disattivato disattivata sospeso sospesa cancellato cancellata chiuso chiusa
    scaduto scaduta inattivo inattiva cessato cessata rimosso rimossa inesistenti inesistente introuvable introuvables perime perimee  archive a_quitte_l a_quitte ya_no_trabaja ya_no_existe nao_trabalha_mais non_lavora_piu  dada_de_baja dado_de_baja rescindida dismesso dismessa eliminata bloqueado_por_inactividad   `,
  away: `indisponible inaccessible injoignable indisponivel irraggiungibile`,
  bad: `invalide invalides incorrecte incorrect erronee erronea erroneo incorrecta incorrecto errada errado incorreto invalido invalida invalidos invalidas
    non_valido non_valida non_valide errato errata mauvais mauvaise mal_formee malformee mal_formado malformada malformata `,
  refused: `refuse refusee refuses rejete rejetee interdit interdite rechazado rechazada rechazo denegado denegada prohibido prohibida
    rejeitado rejeitada recusado recusada negado negada proibido rifiutato rifiutata respinto respinta negato vietato`,
  blocked: `bloque bloquee bloques bloquees bloqueado bloqueada bloqueados bloqueo bloqueio bloccato bloccata bloccati banni bannie verrouille`,
  allowed: `autorise autorisee autorises permis permise permitido permitida autorizado autorizada consentito consentita autorizzato autorizzata`,
  accept: `acceptons aceptamos aceitamos accettiamo accepte acceptee acceptes recevoir aceptado aceptada acepta aceita aceito aceitar accettato accettata ricevere recibir receber`,
  listed: `liste listado listada elencato`,
  failed: `erreur echec echoue error fallo falla fallido falhou falha erro errore fallito fallita`,
  CHECK: `verification verificacion verificacao verifica`,
  exceeded: `superacion depassement_de excedeu_se supero ultrapassa depasse depassee depassement excedido excedida excede excedio superado superada sobrepasado ultrapassou ultrapassada ultrapassado excedeu
    superato superata atteint atteinte alcanzado atingido atingiu raggiunto`,
  full: ` sin_espacio_libre colma colmo satura   lleva_llena pleine plein sature saturee lleno llena cheia cheio lotada lotado piena pieno epuise epuisee agotado agotada esgotado esgotada esaurito esaurita superlotada`,
  quota: `cuota cota cotas quotas_disque espace_alloue`,
  storage: `espace espacio espaco spazio almacenamiento armazenamento capacite capacidad capacidade stockage`,
  disk: `disque disco disques espace_disque espacio_en_disco espaco_em_disco spazio_disco spazio_su_disco`,
  limit: `limite limites limiti tope`,
  enough: `suffisant suffisamment suficiente sufficiente assez`,
  insufficient: `insuffisant insuffisante insuficiente insufficiente`,
  required: `requis requise obligatoire necessaire requerida requerido necesaria necesario obrigatoria necessaria necessario richiesta richiesto obbligatoria`,
  temporarily: `temporairement temporaire temporalmente temporariamente temporaneamente temporal temporaria temporaneo`,
  access: `acces acceso acesso accesso`,
  size: `taille tamano tamanho dimensione dimensioni`,
  here: `aqui ici qui`,
  only: `seulement uniquement solamente unicamente somente apenas soltanto solamente`,
} as const satisfies WordTable;
